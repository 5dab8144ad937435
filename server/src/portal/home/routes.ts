import { groupErrors } from "@beatmarket/request-log/analytics/error-groups.ts";
import type { CallLog } from "@beatmarket/request-log/call-log.ts";
import { listCalls } from "@beatmarket/request-log/calls.ts";
import { sql } from "kysely";
import Type from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { refusalOf } from "../../resources/request-log/refusal.ts";
import { noOperation } from "../calls/schema.ts";
import { type PortalRoute, portalRoute } from "../route.ts";

const closed = { additionalProperties: false };
const time = (description: string) => Type.String({ format: "date-time", description });

const ErrorGroup = Type.Object(
  {
    status: Type.Integer(),
    refused_by: Type.String({ description: "The kind of the refusal. Empty if it is unknown." }),
    operation: Type.String({ description: 'The operation. "none" stands for paths outside of the API.' }),
    calls: Type.Integer({ description: "The number of calls in the last day." }),
    first_seen_at: time("When the error first happened. To the day (UTC) if that was more than 24 hours ago."),
    last_seen_at: time("The time of the latest call."),
    new: Type.Boolean({ description: "Whether the error did not happen in the 30 days before." }),
    reason: Type.String({ description: "The reason in words." }),
    advice: Type.String({ description: "What to do." }),
    latest: Type.Object(
      {
        id: Type.Integer({ description: "Identifier of the log entry." }),
        method: Type.String(),
        path: Type.String({ description: "The path of the request." }),
      },
      { ...closed, description: "The newest call with this error." },
    ),
  },
  { $id: "ErrorGroup", ...closed },
);

const HomeResponse = Type.Object(
  {
    from: time("The time 24 hours ago."),
    to: time("The present time."),
    errors: Type.Array(ErrorGroup, {
      description:
        "The refused and failed calls of the last day, by reason and operation. The latest error comes first.",
    }),
    errors_complete: Type.Boolean({ description: "Whether all failed calls of the day are counted." }),
    latest_success: Type.Union(
      [
        Type.Object(
          {
            id: Type.Integer({ description: "Identifier of the log entry." }),
            time: time("When the call began."),
            method: Type.String(),
            path: Type.String(),
            status: Type.Integer(),
            duration_ms: Type.Number(),
          },
          closed,
        ),
        Type.Null(),
      ],
      { description: "The account's newest call with 2xx. Null if there is none." },
    ),
    shop: Type.Object(
      {
        buys: Type.Boolean({ description: "Whether the account has bought a license." }),
        produces: Type.Boolean({ description: "Whether the account has a beat, which includes drafts." }),
        sells: Type.Boolean({ description: "Whether the account has sold a license." }),
      },
      { ...closed, description: "What the account does in the shop." },
    ),
  },
  { $id: "Home", ...closed },
);

const dayMs = 86_400_000;

/** The data of the home page that no other route has. */
export const homeRoutes = (log: CallLog): PortalRoute[] => [
  portalRoute({
    operationId: "getHome",
    permission: "account:read",
    method: "GET",
    path: "/home",
    tag: "Home",
    summary: "Get the errors of the last day by reason, and the newest successful call",
    response: HomeResponse,
    handle: async ({ db, clock, account }) => {
      const toMs = clock.nowMs();
      const fromMs = toMs - dayMs;
      const [{ groups, isAll }, successes, shop] = await Promise.all([
        groupErrors(log, { userId: account.userId, fromMs, toMs: toMs + 1 }),
        listCalls(log, account.userId, { statusClass: 2 }, { limit: 1 }),
        findShopUse(db, account.userId),
      ]);
      const [success] = successes.calls;
      return {
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
        errors: groups.map(({ latest, ...group }) => ({
          status: group.status,
          refused_by: group.refusedBy,
          operation: group.operation === "" ? noOperation : group.operation,
          calls: group.calls,
          first_seen_at: group.firstSeen.toISOString(),
          last_seen_at: group.lastSeen.toISOString(),
          new: group.isNew,
          ...(refusalOf(group) ?? { reason: "", advice: "" }),
          latest: { id: latest.id, method: latest.method, path: latest.path },
        })),
        errors_complete: isAll,
        shop,
        latest_success:
          success === undefined
            ? null
            : {
                id: success.id,
                time: success.time.toISOString(),
                method: success.method,
                path: success.path,
                status: success.status,
                duration_ms: success.durationMs,
              },
      };
    },
  }),
];

/** The parts of the shop that an account uses. */
export interface ShopUse {
  /** Whether the account has bought a license. */
  buys: boolean;
  /** Whether the account has a beat, including drafts. */
  produces: boolean;
  /** Whether the account has sold a license. */
  sells: boolean;
}

async function findShopUse(db: Queryable, userId: number): Promise<ShopUse> {
  const { rows } = await sql<ShopUse>`
    select exists (select from orders where user_id = ${userId} and status = 'completed') as buys,
      exists (select from beats where user_id = ${userId}) as produces,
      exists (select from orders where producer_id = ${userId} and status = 'completed') as sells`.execute(db);
  return rows[0] ?? { buys: false, produces: false, sells: false };
}
