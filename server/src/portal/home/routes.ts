import Type from "typebox";
import { listCalls } from "../../resources/request-log/calls.ts";
import { refusalOf } from "../../resources/request-log/refusal.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const closed = { additionalProperties: false };
const maxShown = 5;
const dayMs = 86_400_000;

const Troubles = Type.Object(
  {
    calls: Type.Array(
      Type.Object(
        {
          id: Type.Integer({ description: "Identifier of the log entry." }),
          time: Type.String({ format: "date-time" }),
          method: Type.String(),
          path: Type.String({ description: "As called." }),
          status: Type.Integer(),
          reason: Type.String({ description: "Why, in words." }),
          advice: Type.String({ description: "What to do about it." }),
        },
        closed,
      ),
    ),
  },
  {
    $id: "Troubles",
    ...closed,
    description: "The newest calls of the last day that were refused or failed, at most five.",
  },
);

/** What the first page shows beside keys and limits. */
export const homeRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "listTroubles",
    method: "GET",
    path: "/home/troubles",
    tag: "Home",
    summary: "What went wrong lately, in words",
    response: Troubles,
    handle: async ({ db, clock, account }) => {
      const fromMs = clock.nowMs() - dayMs;
      const pages = await Promise.all(
        [4, 5].map((statusClass) => listCalls(db, account.userId, { statusClass, fromMs }, { limit: maxShown })),
      );
      const calls = pages
        .flatMap((page) => page.calls)
        .sort((a, b) => b.time.getTime() - a.time.getTime())
        .slice(0, maxShown);
      return {
        calls: calls.map((call) => ({
          id: call.id,
          time: call.time.toISOString(),
          method: call.method,
          path: call.path,
          status: call.status,
          ...(refusalOf(call) ?? { reason: "", advice: "" }),
        })),
      };
    },
  }),
];
