import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { eventIds } from "./event-id.ts";
import type { EventType } from "./event-types.ts";

/** Something that happened, as subscribers will be told. */
export interface EventFact {
  type: EventType;
  /** `data` of the payload, made by the presenter that the API uses. */
  data: object;
  /** When it happened. */
  at: Date;
  /** The accounts that may know of it, beside those marked marketplace; "everyone" for what is public anyway. */
  audience: readonly number[] | "everyone";
  /** The call that it comes from; absent where something else made it happen. */
  requestId?: string | null;
}

const maxRowsPerStatement = 5_000;

/** What workers listen on. */
export const deliveriesChannel = "webhook_deliveries";

/** Whether an endpoint is told of an event (DESIGN section 2, who receives): a condition on these two tables' columns. */
export const isToldOf = (endpoint: string, event: string): RawBuilder<boolean> => {
  const column = (table: string, name: string) => sql.ref(`${table}.${name}`);
  return sql<boolean>`(
    (${column(endpoint, "event_types")} is null or ${column(event, "type")} = any(${column(endpoint, "event_types")}))
    and (${column(event, "audience")} is null or ${column(endpoint, "user_id")} = any(${column(event, "audience")})
      or (${column(event, "audience")} <> '{}' and exists (
        select from users where users.id = ${column(endpoint, "user_id")} and users.marketplace))))`;
};

/**
 * Writes events into the outbox (contract 6.2), and a delivery for each endpoint that is to be told: skipped where the
 * endpoint is disabled. `transaction` must be the one that makes the fact true, so that there is exactly one event for
 * each fact, whatever crashes when. Workers are woken when it commits.
 */
export async function emitEvents(transaction: Queryable, facts: readonly EventFact[]): Promise<void> {
  for (let start = 0; start < facts.length; start += maxRowsPerStatement)
    await emitBatch(transaction, facts.slice(start, start + maxRowsPerStatement));
}

async function emitBatch(transaction: Queryable, facts: readonly EventFact[]): Promise<void> {
  const ids = eventIds(facts.map(({ at }) => at.getTime()));
  await transaction
    .with("emitted", (db) =>
      db
        .insertInto("events")
        .values(facts.map((fact, index) => eventRow(ids[index] ?? "", fact)))
        .returning(["id", "type", "audience", "created_at"]),
    )
    .with("queued", (db) =>
      db
        .insertInto("webhook_deliveries")
        .columns(["endpoint_id", "event_id", "type", "state", "next_attempt_at", "ordered", "created_at"])
        .expression((select) =>
          select
            .selectFrom("emitted")
            .innerJoin("webhook_endpoints as endpoint", (join) => join.on(isToldOf("endpoint", "emitted")))
            .select([
              "endpoint.id",
              "emitted.id as event_id",
              "emitted.type",
              sql<string>`case endpoint.state when 'enabled' then 'pending' else 'skipped' end`.as("state"),
              sql<Date | null>`case endpoint.state when 'enabled' then emitted.created_at end`.as("next_attempt_at"),
              "endpoint.ordered",
              "emitted.created_at",
            ])
            .orderBy("emitted.id"),
        )
        .returning("state"),
    )
    .selectFrom("queued")
    .select(sql`pg_notify(${deliveriesChannel}, '')`.as("woken"))
    .where("state", "=", "pending")
    .limit(1)
    .execute();
}

function eventRow(id: string, { type, data, at, audience, requestId = null }: EventFact) {
  const created = Math.floor(at.getTime() / 1000);
  return {
    id,
    type,
    created_at: at,
    payload: JSON.stringify({ id, created, type, data }),
    audience: audience === "everyone" ? null : [...audience],
    request_id: requestId,
  };
}
