import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Database } from "@beatmarket/postgres/connection/connect.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { Logger } from "pino";
import type { CallFilter, CallsOf } from "../call-filter.ts";
import type {
  AccountTimes,
  Bucket,
  CallStore,
  CountedBars,
  FailedCalls,
  KeyClient,
  Page,
  SearchedCalls,
  StoredCall,
  WrittenBatch,
} from "../storage/call-store.ts";
import { endMs, type Period } from "../storage/call-store.ts";
import { PostgresCalls } from "../storage/postgres-calls.ts";
import { addToRollups } from "../storage/rollups.ts";
import { type EngineAddress, VictoriaLogsClient } from "./client.ts";
import { conditionsOf, isSearch, streamsOf, type Times, timesOf, within } from "./logsql.ts";
import { Outbox } from "./outbox.ts";
import { callOf, type Row } from "./rows.ts";
import { searchFloor } from "./search-floor.ts";
import { barCounts, clients, failedGroups } from "./statistics.ts";
import { msOf, nsOf, nsOfId, nsOfPosition, nsOfText, positionOf, timeText } from "./times.ts";

/**
 * The number of calls that are searched for one page, in about a second of one core. Limits the time of a text with few
 * matches.
 */
const maxSearched = 1_000_000;
/**
 * The longest time between the arrival and the admission of a call: the request timeout, and the skew between clocks.
 */
const maxAdmissionDelayMs = 60_000;
/** How far the clock of another instance may be ahead. */
const maxSkewMs = 60_000;

export interface VictoriaLogsParts {
  address: EngineAddress;
  database: Pick<Database, "query">;
  clock: Clock;
  log: Pick<Logger, "warn">;
}

/** Stores calls in VictoriaLogs, and their counts in PostgreSQL. */
export class VictoriaLogsCalls implements CallStore {
  readonly #client: VictoriaLogsClient;
  readonly #outbox: Outbox;
  readonly #database: Pick<Database, "query">;
  readonly #clock: Clock;
  /** The calls from the time before the service used this store. */
  readonly #earlier: PostgresCalls;

  constructor({ address, database, clock, log }: VictoriaLogsParts) {
    this.#client = new VictoriaLogsClient(address, clock);
    this.#outbox = new Outbox(this.#client, log);
    this.#database = database;
    this.#clock = clock;
    this.#earlier = new PostgresCalls(database);
  }

  get waiting(): number {
    return this.#outbox.waiting;
  }

  get dropped(): number {
    return this.#outbox.dropped;
  }

  async write({ blocks, countedBlocks = [] }: WrittenBatch): Promise<void> {
    // Compresses first, because nothing may fail after the calls are counted.
    const compressed = await this.#outbox.compress(blocks);
    await transact(this.#database.query, (transaction) => addToRollups(transaction, [...blocks, ...countedBlocks]));
    this.#outbox.add(compressed);
  }

  flush(): Promise<void> {
    return this.#outbox.flush();
  }

  async search(callsOf: CallsOf, filter: CallFilter, { limit, before, scanned }: Page): Promise<SearchedCalls> {
    const timeRange = timesOf(filter);
    const endNs = before === undefined ? timeRange.endNs : earliest(timeRange.endNs, nsOfPosition(before));
    const streams = streamsOf(callsOf, filter.apiKeyId);
    const floor = await this.#floor(streams, filter, { ...timeRange, endNs }, scanned);
    const times = { fromNs: floor ?? timeRange.fromNs, endNs };
    const rows = await this.#client.query(`${streams} ${within(times)} ${conditionsOf(filter)}`, limit + 1);
    const calls = withoutRepeats(rows).slice(0, limit).map(callOf);
    const last = calls.at(-1);
    if (rows.length > limit && last !== undefined) return { calls, last: { timeMs: last.timeMs, id: last.id } };
    return { calls, last: floor === null ? null : positionOf(floor) };
  }

  async find(callsOf: CallsOf, id: number): Promise<StoredCall | null> {
    if (!Number.isSafeInteger(id)) return null;
    const time = timeText(nsOfId(id, this.#clock.nowMs() + maxSkewMs));
    const [row] = await this.#client.query(`${streamsOf(callsOf)} _time:=${time}`, 1);
    return row === undefined ? null : callOf(row);
  }

  async countBars(userId: number, filter: CallFilter, period: Period, scanned?: number): Promise<CountedBars> {
    const streams = streamsOf(userId, filter.apiKeyId);
    const times = { fromNs: nsOf(period.fromMs), endNs: nsOf(endMs(period)) };
    const floor = await this.#floor(streams, filter, times, scanned);
    const selected = `${streams} ${within({ ...times, fromNs: floor ?? times.fromNs })} ${conditionsOf(filter)}`;
    const counts = await barCounts(this.#client, selected, period);
    return { counts, countedFrom: floor === null ? null : new Date(msOf(floor)) };
  }

  async groupFailed(
    { userId, fromMs, toMs }: AccountTimes,
    scanned: number = maxSearched,
  ): Promise<{ groups: FailedCalls[]; isWhole: boolean }> {
    const scope = `${streamsOf(userId)} status:>=400`;
    const times = { fromNs: nsOf(fromMs), endNs: nsOf(toMs) };
    const groups = await failedGroups(this.#client, `${scope} ${within(times)}`);
    if (groups.reduce((sum, { calls }) => sum + calls, 0) <= scanned) return { groups, isWhole: true };
    const fromNs = await searchFloor(this.#client, { scope, times, nowMs: this.#clock.nowMs() }, scanned);
    const newest = within({ ...times, fromNs: fromNs ?? times.fromNs });
    return { groups: await failedGroups(this.#client, `${scope} ${newest}`), isWhole: false };
  }

  async clientsOf(apiKeyId: number, sinceMs: number): Promise<{ clients: KeyClient[]; isWhole: boolean }> {
    const selected = `${streamsOf("everybody", apiKeyId)} ${within({ fromNs: nsOf(sinceMs) })}`;
    return { clients: await clients(this.#client, selected), isWhole: true };
  }

  async admittedSince(bucket: Bucket, sinceMs: number, atMost: number): Promise<number[]> {
    const { apiKeyId, fromExplorer } = bucket;
    const times = within({ fromNs: nsOf(sinceMs - maxAdmissionDelayMs) });
    const condition = `explorer:${fromExplorer ? "=1" : '""'} admitted_after_ms:*`;
    const query = `${streamsOf("everybody", apiKeyId)} ${times} ${condition} | fields _time, admitted_after_ms`;
    const [rows, earlier] = await Promise.all([
      // Twice as many, because a batch may have been sent twice.
      this.#client.query(query, 2 * atMost),
      this.#earlier.admittedSince(bucket, sinceMs, atMost),
    ]);
    const calls = withoutRepeats(rows).map(
      ({ _time = "", admitted_after_ms: after }) => msOf(nsOfText(_time)) + Number(after),
    );
    return [...earlier, ...calls.filter((timeMs) => timeMs > sinceMs)].sort((a, b) => a - b).slice(-atMost);
  }

  async eraseAccounts(userIds: readonly number[]): Promise<void> {
    await this.#earlier.eraseAccounts(userIds);
    for (const userId of userIds) await this.#client.deleteAll(streamsOf(userId));
  }

  /** Deletes only calls that PostgreSQL stored earlier. The engine has its own retention (docs/request-log.md). */
  deleteBefore(timeMs: number): Promise<number> {
    return this.#earlier.deleteBefore(timeMs);
  }

  async deleteBeyond(): Promise<null> {
    return null;
  }

  /** The time of the oldest call that a search may read; null if it may read all calls. */
  async #floor(scope: string, filter: CallFilter, times: Times, maxCalls = maxSearched): Promise<bigint | null> {
    return isSearch(filter) ? searchFloor(this.#client, { scope, times, nowMs: this.#clock.nowMs() }, maxCalls) : null;
  }
}

/** A batch that was sent twice has rows twice, with the same times. */
const withoutRepeats = (rows: readonly Row[]): Row[] =>
  rows.filter(({ _time, request_id }, index) => {
    const before = rows[index - 1];
    return before === undefined || before._time !== _time || before.request_id !== request_id;
  });

const earliest = (one: bigint | undefined, other: bigint): bigint => (one !== undefined && one < other ? one : other);
