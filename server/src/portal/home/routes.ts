import { groupErrors } from "../../resources/request-log/analytics/error-groups.ts";
import { listCalls } from "../../resources/request-log/calls.ts";
import { refusalOf } from "../../resources/request-log/refusal.ts";
import { noOperation } from "../calls/schema.ts";
import { type PortalRoute, portalRoute } from "../route.ts";
import { HomeResponse } from "./schema.ts";

const dayMs = 86_400_000;

/** What the first page shows beside keys, limits, analytics and endpoints. */
export const homeRoutes: PortalRoute[] = [
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
      const [{ groups, isAll }, successes] = await Promise.all([
        groupErrors(db, { userId: account.userId, fromMs, toMs: toMs + 1 }),
        listCalls(db, account.userId, { statusClass: 2 }, { limit: 1 }),
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
