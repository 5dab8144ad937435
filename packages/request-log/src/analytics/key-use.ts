import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import type { CallStore, KeyClient } from "../storage/call-store.ts";
import { tablesOf } from "../tables.ts";

const dayMs = 86_400_000;

/** The number of calls of one operation with one key. */
export interface OperationUse {
  apiKeyId: number;
  /** Empty for paths without a route. */
  operation: string;
  /** Calls with any status but 401, 403 and 429. */
  admitted: number;
  refused: number;
}

/**
 * The operations that an account's keys called in the last `days` days (UTC, at most 31), by key, most called first.
 */
export async function operationsUsed(
  db: Queryable,
  userId: number,
  days: number,
  nowMs: number,
): Promise<OperationUse[]> {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  const isRefused = sql`status in (401, 403, 429)`;
  return tablesOf(db)
    .selectFrom("request_rollups")
    .select([
      "api_key_id as apiKeyId",
      "operation",
      sql<number>`coalesce(sum(calls) filter (where not ${isRefused}), 0)::bigint`.as("admitted"),
      sql<number>`coalesce(sum(calls) filter (where ${isRefused}), 0)::bigint`.as("refused"),
    ])
    .where("user_id", "=", userId)
    .where("seconds", "=", dayMs / 1000)
    .where("start", ">", new Date(today - days * dayMs))
    .groupBy(["api_key_id", "operation"])
    .orderBy("api_key_id")
    .orderBy(sql`sum(calls)`, "desc")
    .execute();
}

export interface KeyClients {
  /** Latest first. */
  clients: KeyClient[];
  /** Whether not all calls were searched. */
  isPartial: boolean;
}

const maxClients = 10;

/** The last ten clients that used a key since `sinceMs`. */
export async function keyClients(store: CallStore, apiKeyId: number, sinceMs: number): Promise<KeyClients> {
  const { clients, isWhole } = await store.clientsOf(apiKeyId, sinceMs);
  return { clients: clients.slice(0, maxClients), isPartial: !isWhole };
}

/**
 * The day (UTC, "2026-11-27") of an account's last call of each operation, within the last `days` days (at most 62).
 */
export async function lastDaysOfUse(
  db: Queryable,
  userId: number,
  days: number,
  nowMs: number,
): Promise<ReadonlyMap<string, string>> {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  const rows = await tablesOf(db)
    .selectFrom("request_rollups")
    .select(["operation", sql<Date>`max(start)`.as("last")])
    .where("user_id", "=", userId)
    .where("seconds", "=", dayMs / 1000)
    .where("start", ">", new Date(today - days * dayMs))
    .where("operation", "<>", "")
    .groupBy("operation")
    .execute();
  return new Map(rows.map(({ operation, last }) => [operation, last.toISOString().slice(0, 10)]));
}
