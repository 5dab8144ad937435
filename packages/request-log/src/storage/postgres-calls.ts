import type { Database } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import { type CallFilter, type CallsOf, isOf, matcher, rangeOf } from "../call-filter.ts";
import type {
  AccountTimes,
  Bucket,
  CallStore,
  CountedBars,
  FailedCalls,
  KeyClient,
  Page,
  Position,
  SearchedCalls,
  StatusClass,
  StoredCall,
  WrittenBatch,
} from "./call-store.ts";
import { endMs, type Period } from "./call-store.ts";
import { admittedSince, writeBatch } from "./queries.ts";
import { callId, findBlock, type StoredBlock, visitNewestFirst } from "./read-blocks.ts";
import { deleteBeyond, deleteCallsBefore, deleteCallsOf } from "./retention.ts";
import { countedReason } from "./rollups.ts";

/** The number of calls that are scanned for one page, in about 50 ms. Limits the time of a filter with few matches. */
const maxScanned = 400_000;
/** The number of failed calls that are scanned, in about 15 ms. */
const maxScannedFailed = 100_000;
const maxScannedOfKey = 20_000;

/** Stores calls in PostgreSQL, in compressed blocks. */
export class PostgresCalls implements CallStore {
  readonly waiting = 0;
  readonly dropped = 0;
  readonly #database: Pick<Database, "query">;
  readonly #idsHaveTime: boolean;

  /** `idsHaveTime` is false if the log's times come from another clock than the request ids. */
  constructor(database: Pick<Database, "query">, { idsHaveTime = true }: { idsHaveTime?: boolean | undefined } = {}) {
    this.#database = database;
    this.#idsHaveTime = idsHaveTime;
  }

  write(batch: WrittenBatch): Promise<void> {
    return writeBatch(this.#database.query, batch);
  }

  async flush(): Promise<void> {}

  async search(callsOf: CallsOf, filter: CallFilter, page: Page): Promise<SearchedCalls> {
    const { limit, before, scanned = maxScanned } = page;
    const matches = matcher(filter);
    const calls: StoredCall[] = [];
    let scannedCalls = 0;
    let last: Position | undefined;
    const range = rangeOf(callsOf, filter, {
      endMs: before && before.timeMs + 1,
      idsHaveTime: this.#idsHaveTime,
    });
    const isAll = await visitNewestFirst(this.#database.query, range, (block, index) => {
      const position = { timeMs: block.timesMs[index] ?? 0, id: callId(block, index) };
      if (before !== undefined && !isOlder(position, before)) return true;
      if (scannedCalls === scanned) return false;
      scannedCalls++;
      if (matches(block, index)) {
        if (calls.length === limit) return false;
        calls.push(callAt(block, index));
      }
      last = position;
      return true;
    });
    return { calls, last: isAll || last === undefined ? null : last };
  }

  async find(callsOf: CallsOf, id: number): Promise<StoredCall | null> {
    const block = await findBlock(this.#database.query, isOf(callsOf), id);
    return block && callAt(block.block, block.index);
  }

  async countBars(
    userId: number,
    filter: CallFilter,
    period: Period,
    scanned: number = maxScanned,
  ): Promise<CountedBars> {
    const matches = matcher(filter);
    const counts: CountedBars["counts"] = [];
    const times = { ...filter, fromMs: period.fromMs, toMs: endMs(period) };
    let scannedCalls = 0;
    let lastMs: number | undefined;
    const isAll = await visitNewestFirst(
      this.#database.query,
      rangeOf(userId, times, { idsHaveTime: this.#idsHaveTime }),
      (block, index) => {
        if (scannedCalls === scanned) return false;
        scannedCalls++;
        lastMs = block.timesMs[index] ?? 0;
        if (!matches(block, index)) return true;
        const bar = Math.floor((lastMs - period.fromMs) / period.barMs);
        const statusClass = Math.floor(block.shape(index).status / 100) as StatusClass;
        const newest = counts.findLast((count) => count.statusClass === statusClass);
        if (newest?.bar === bar) newest.calls++;
        else counts.push({ bar, statusClass, calls: 1 });
        return true;
      },
    );
    return { counts, countedFrom: isAll || lastMs === undefined ? null : new Date(lastMs) };
  }

  async groupFailed(
    { userId, fromMs, toMs }: AccountTimes,
    scanned: number = maxScannedFailed,
  ): Promise<{ groups: FailedCalls[]; isWhole: boolean }> {
    const groups = new Map<string, Pick<FailedCalls, "calls" | "firstMs"> & { block: StoredBlock; index: number }>();
    let calls = 0;
    const condition = sql`user_id = ${userId} and refused > 0`;
    const isWhole = await visitNewestFirst(this.#database.query, { condition, fromMs, toMs }, (block, index) => {
      const { status, refusedBy, operation } = block.shape(index);
      if (status < 400) return true;
      if (calls === scanned) return false;
      calls++;
      const firstMs = block.timesMs[index] ?? 0;
      const key = `${status} ${countedReason(refusedBy)} ${operation ?? ""}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { calls: 1, firstMs, block, index });
      else {
        group.calls++;
        group.firstMs = firstMs;
      }
      return true;
    });
    const allGroups = Array.from(groups.values(), ({ block, index, ...group }) => ({
      ...group,
      latest: callAt(block, index),
    }));
    return { groups: allGroups, isWhole };
  }

  async clientsOf(apiKeyId: number, sinceMs: number): Promise<{ clients: KeyClient[]; isWhole: boolean }> {
    const clients = new Map<string, KeyClient>();
    let scanned = 0;
    const range = { condition: sql`api_key_id = ${apiKeyId}`, fromMs: sinceMs };
    await visitNewestFirst(this.#database.query, range, (block, index) => {
      const { clientAddress, userAgent } = block.shape(index);
      const name = `${clientAddress} ${userAgent}`;
      const client = clients.get(name);
      const lastAt = new Date(block.timesMs[index] ?? Number.NaN);
      if (client !== undefined) client.calls++;
      else clients.set(name, { clientAddress, userAgent, calls: 1, lastAt });
      return ++scanned < maxScannedOfKey;
    });
    // A map keeps the order of insertion: latest first.
    return { clients: [...clients.values()], isWhole: scanned < maxScannedOfKey };
  }

  admittedSince(bucket: Bucket, sinceMs: number, atMost: number): Promise<number[]> {
    return admittedSince(this.#database.query, bucket, sinceMs, atMost);
  }

  deleteBefore(timeMs: number): Promise<number> {
    return deleteCallsBefore(this.#database.query, timeMs);
  }

  eraseAccounts(userIds: readonly number[]): Promise<void> {
    return deleteCallsOf(this.#database.query, userIds);
  }

  async deleteBeyond(maxBytes: number): Promise<number> {
    return (await deleteBeyond(this.#database.query, maxBytes)).total;
  }
}

const isOlder = (position: Position, other: Position): boolean =>
  position.timeMs < other.timeMs || (position.timeMs === other.timeMs && position.id < other.id);

const callAt = (block: StoredBlock, index: number): StoredCall => ({
  ...block.shape(index),
  id: callId(block, index),
  timeMs: block.timesMs[index] ?? 0,
  durationMs: block.durationMs(index),
  requestId: block.requestId(index),
  userId: block.userId,
  apiKeyId: block.apiKeyId,
  fromExplorer: block.fromExplorer,
});
