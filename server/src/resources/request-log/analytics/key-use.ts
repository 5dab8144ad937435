import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { visitNewestFirst } from "../storage/read-blocks.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The number of calls of one operation with one key. */
export interface OperationUse {
  apiKeyId: number;
  /** Empty for paths without a route. */
  operation: string;
  /** Calls with any status but 401, 403 and 429. */
  admitted: number;
  refused: number;
}

/** The operations called with an account's keys in the last `days` days (UTC, at most 31): by key, most called first. */
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

/** A client address and user agent that used a key. */
export interface KeyClient {
  clientAddress: string;
  userAgent: string;
  calls: number;
  lastAt: Date;
}

/** A key's clients, latest first. */
export interface KeyClients {
  clients: KeyClient[];
  /** Whether there are more calls than were scanned. */
  isPartial: boolean;
}

const maxScanned = 20_000;
const maxClients = 10;

/** The last ten clients that used a key since `sinceMs`, among its newest 20,000 calls. */
export async function keyClients(db: Queryable, apiKeyId: number, sinceMs: number): Promise<KeyClients> {
  const clients = new Map<string, KeyClient>();
  let scanned = 0;
  await visitNewestFirst(db, { condition: sql`api_key_id = ${apiKeyId}`, fromMs: sinceMs }, (block, index) => {
    const { clientAddress, userAgent } = block.shape(index);
    const name = `${clientAddress} ${userAgent}`;
    const known = clients.get(name);
    if (known !== undefined) known.calls++;
    else
      clients.set(name, { clientAddress, userAgent, calls: 1, lastAt: new Date(block.timesMs[index] ?? Number.NaN) });
    return ++scanned < maxScanned;
  });
  // The map is in the order of the visits: latest first.
  return { clients: [...clients.values()].slice(0, maxClients), isPartial: scanned >= maxScanned };
}
