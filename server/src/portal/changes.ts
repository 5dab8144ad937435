import { lastDaysOfUse } from "@beatmarket/request-log/analytics/key-use.ts";
import Type from "typebox";
import { changelog } from "../resources/changelog/entries.ts";
import { type ChangelogEntry, changeKinds, entryPath } from "../resources/changelog/entry.ts";
import { type PortalRoute, portalRoute } from "./route.ts";

/** The retention of the request log. */
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

/** The changes of the operations that an account calls. */
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

/** A change of the API, with the changed operations that the account has not called since. */
interface ChangeSince {
  entry: ChangelogEntry;
  operations: string[];
}

/**
 * The changes of existing operations since the account's last call of the operation. Includes changes on the day of
 * that call, because only the day of a change is known.
 */
export const changesSince = (
  entries: readonly ChangelogEntry[],
  lastDays: ReadonlyMap<string, string>,
): ChangeSince[] =>
  entries
    .filter(({ kind }) => kind !== "added")
    .map((entry) => ({
      entry,
      operations: entry.operations.filter((operation) => (lastDays.get(operation) ?? "9999") <= entry.date),
    }))
    .filter(({ operations }) => operations.length > 0);
