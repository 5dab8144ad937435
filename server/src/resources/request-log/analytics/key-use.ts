import { sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { visitNewestFirst } from "../storage/read-blocks.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How an operation was called with a key, as the rollups count. */
export interface OperationUse {
  apiKeyId: number;
  /** Empty where the path is none of ours. */
  operation: string;
  /** Those that the key was let do: not refused for the key, a permission or a limit. */
  admitted: number;
  refused: number;
}

/** What an account's keys were used for in the last `days` days (UTC), at most 31: by key, most called first. */
export async function operationsUsed(
  db: Queryable,
  userId: number,
  days: number,
  nowMs: number,
): Promise<OperationUse[]> {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  const isRefused = sql`status in (401, 403, 429)`;
  return db
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

/** A program that used a key, as it named itself, from one address. */
export interface KeyClient {
  clientAddress: string;
  userAgent: string;
  calls: number;
  lastAt: Date;
}

/** Where a key was used from since then, latest first. */
export interface KeyClients {
  clients: KeyClient[];
  /** Whether only the newest calls were looked at, since there are more than can be read at once. */
  isPartial: boolean;
}

const maxLookedAt = 20_000;
const maxClients = 10;

/** Who called with a key since a moment, by its newest 20,000 calls: at most ten. */
export async function keyClients(db: Queryable, apiKeyId: number, sinceMs: number): Promise<KeyClients> {
  const clients = new Map<string, KeyClient>();
  let lookedAt = 0;
  await visitNewestFirst(db, { condition: sql`api_key_id = ${apiKeyId}`, fromMs: sinceMs }, (block, index) => {
    const { clientAddress, userAgent } = block.shape(index);
    const name = `${clientAddress} ${userAgent}`;
    const known = clients.get(name);
    if (known !== undefined) known.calls++;
    else
      clients.set(name, { clientAddress, userAgent, calls: 1, lastAt: new Date(block.timesMs[index] ?? Number.NaN) });
    return ++lookedAt < maxLookedAt;
  });
  // They come latest first.
  return { clients: [...clients.values()].slice(0, maxClients), isPartial: lookedAt >= maxLookedAt };
}
