import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { type Selectable, sql } from "kysely";
import { type Endpoint, endpointOf } from "../endpoints/endpoints.ts";
import type { WebhookEndpointsTable } from "../tables.ts";

// The endpoints of all owners, for operators.

export const fleetHealths = ["failing", "disabled", "waiting"] as const;
/** A `waiting` endpoint has deliveries that have been due for more than a minute. */
export type FleetHealth = (typeof fleetHealths)[number];

export interface FleetEndpoint extends Endpoint {
  isSuspended: boolean;
  consecutiveFailures: number;
  /** Counted up to `maxCounted`, as `failed` and `skipped` are. */
  pending: number;
  failed: number;
  skipped: number;
  /** The time of the oldest pending delivery's event. */
  oldestPendingAt: Date | null;
}

/** The highest count of an endpoint's deliveries in one state. */
export const maxCounted = 1_000;
const lateMs = 60_000;

type FleetRow = Selectable<WebhookEndpointsTable> & Omit<FleetEndpoint, keyof Endpoint | "consecutiveFailures">;

/**
 * The endpoint after which a page begins. Backlogs change between the queries for two pages, so an endpoint can be on
 * two pages or on none.
 */
export interface FleetCursor {
  pending: number;
  id: number;
}

/** Endpoints with their backlogs, most pending deliveries first, then newest first. Excludes forwarding endpoints. */
export async function listFleet(
  db: Queryable,
  {
    health,
    userId,
    after,
    limit,
    now,
  }: {
    health?: FleetHealth | undefined;
    userId?: number | undefined;
    after?: FleetCursor | undefined;
    limit: number;
    now: Date;
  },
): Promise<FleetEndpoint[]> {
  const healths = {
    failing: sql`endpoint.state = 'enabled' and endpoint.failing_since is not null`,
    disabled: sql`endpoint.state = 'disabled'`,
    waiting: sql`exists (
      select from webhook_deliveries where endpoint_id = endpoint.id and state = 'pending'
        and next_attempt_at < ${new Date(now.getTime() - lateMs)})`,
  };
  const countState = (state: "pending" | "failed" | "skipped") => sql`(
    select count(*) from (
      select from webhook_deliveries where endpoint_id = endpoint.id and state = ${sql.lit(state)} limit ${maxCounted}
    ) counted)`;
  const { rows } = await sql<FleetRow>`
    select endpoint.*, users.suspended_at is not null as "isSuspended",
           backlog.pending, ${countState("failed")} as failed, ${countState("skipped")} as skipped,
           (select min(created_at) from (
              select created_at from webhook_deliveries where endpoint_id = endpoint.id and state = 'pending'
              order by event_id limit 1) oldest) as "oldestPendingAt"
    from webhook_endpoints endpoint join users on users.id = endpoint.user_id
      cross join lateral ${countState("pending")} backlog (pending)
    where endpoint.kind <> 'listen'
      and ${health === undefined ? sql`true` : healths[health]}
      and ${userId === undefined ? sql`true` : sql`endpoint.user_id = ${userId}`}
      and ${after === undefined ? sql`true` : sql`(backlog.pending, endpoint.id) < (${after.pending}, ${after.id})`}
    order by backlog.pending desc, endpoint.id desc limit ${limit}`.execute(db);
  return rows.map((row) => ({
    ...endpointOf(row),
    isSuspended: row.isSuspended,
    consecutiveFailures: row.consecutive_failures,
    pending: row.pending,
    failed: row.failed,
    skipped: row.skipped,
    oldestPendingAt: row.oldestPendingAt,
  }));
}
