import { lastDaysOfUse } from "@beatmarket/request-log/analytics/key-use.ts";
import Type from "typebox";
import { changelog } from "../../resources/changelog/entries.ts";
import { changeKinds, entryPath } from "../../resources/changelog/entry.ts";
import { type PortalRoute, portalRoute } from "../route.ts";
import { changesSince } from "./changes-since.ts";

/** As long as the request log keeps calls. */
const daysOfUse = 30;

const closed = { additionalProperties: false };

const ChangesResponse = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: "Of the changelog's entry." }),
          date: Type.String({ format: "date" }),
          title: Type.String(),
          kind: Type.Enum([...changeKinds]),
          path: Type.String({ description: "Where the changelog has the entry." }),
          operations: Type.Array(Type.String(), { description: "Those that the account calls." }),
        },
        { $id: "ApiChange", ...closed },
      ),
      { description: "Newest first." },
    ),
  },
  { $id: "ApiChanges", ...closed },
);

/** What changed in the operations that an account calls. */
export const changeRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "listApiChanges",
    permission: "calls:read",
    method: "GET",
    path: "/api-changes",
    tag: "Home",
    summary: "Changes of operations since the account last called them, in the last 30 days",
    response: ChangesResponse,
    handle: async ({ db, clock, account }) => {
      const lastDays = await lastDaysOfUse(db, account.userId, daysOfUse, clock.nowMs());
      return {
        changes: changesSince(changelog, lastDays).map(({ entry, operations }) => ({
          id: entry.id,
          date: entry.date,
          title: entry.title,
          kind: entry.kind,
          path: entryPath(entry),
          operations,
        })),
      };
    },
  }),
];
