import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";

const dayMs = 86_400_000;

/** The day (UTC, "2026-11-27") of an account's last call of each operation, in the last `days` days, at most 62. */
export async function lastDaysOfUse(
  db: Queryable,
  userId: number,
  days: number,
  nowMs: number,
): Promise<ReadonlyMap<string, string>> {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  const rows = await db
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
