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
    refused_by: Type.String({ description: "The kind of the refusal; empty where none is known." }),
    operation: Type.String({ description: '"none" is for paths outside of the API.' }),
    calls: Type.Integer({ description: "Of the last day." }),
    first_seen_at: time("To the day (UTC) where it happened on a day before the last 24 hours, too."),
    last_seen_at: time("Of the latest call."),
    new: Type.Boolean({ description: "It did not happen in the 30 days before." }),
    reason: Type.String({ description: "Why, in words." }),
    advice: Type.String({ description: "The remedy." }),
    latest: Type.Object(
      {
        id: Type.Integer({ description: "Identifier of the log entry." }),
        method: Type.String(),
        path: Type.String({ description: "As called." }),
      },
      { ...closed, description: "The newest of these calls." },
    ),
  },
  { $id: "ErrorGroup", ...closed },
);

const HomeResponse = Type.Object(
  {
    from: time("24 hours ago."),
    to: time("Now."),
    errors: Type.Array(ErrorGroup, {
      description: "The calls of the last day that were refused or failed, by reason and operation, last seen first.",
    }),
    errors_complete: Type.Boolean({ description: "All of the day's failed calls were counted." }),
    latest_success: Type.Union(
      [
        Type.Object(
          {
            id: Type.Integer({ description: "Identifier of the log entry." }),
            time: time("When it began."),
            method: Type.String(),
            path: Type.String(),
            status: Type.Integer(),
            duration_ms: Type.Number(),
          },
          closed,
        ),
        Type.Null(),
      ],
      { description: "The account's newest call that worked (2xx); null while there is none." },
    ),
    shop: Type.Object(
      {
        buys: Type.Boolean({ description: "The account has bought a license." }),
        produces: Type.Boolean({ description: "The account has a beat, as a draft too." }),
        sells: Type.Boolean({ description: "The account has sold a license." }),
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
    summary: "What went wrong in the last day, by reason, and the newest call that worked",
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
