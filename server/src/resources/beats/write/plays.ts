import type { Clock } from "@beatmarket/foundation/clock.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import { batchSize, inBatches } from "@beatmarket/postgres/in-batches.ts";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Queryable } from "../../../database/connect.ts";

/** Adds one download to the beat of each id; an id that occurs twice adds two. */
export async function addDownloads(db: Queryable, beatIds: readonly number[]): Promise<void> {
  if (beatIds.length === 0) return;
  await sql`
    update beats set download_count = download_count + added.count
    from (select id, count(*) as count from unnest(${beatIds}::bigint[]) as ids (id) group by id) added
    where beats.id = added.id`.execute(db);
}

/** Adds plays to the beat of each id, to the total and to the day. Unknown ids are ignored. */
async function addPlays(db: Queryable, plays: ReadonlyMap<number, number>, now: Date): Promise<void> {
  await sql`
    with played as (
      update beats set play_count = play_count + added.count
      from unnest(${[...plays.keys()]}::bigint[], ${[...plays.values()]}::bigint[]) as added (id, count)
      where beats.id = added.id
      returning beats.id, added.count)
    insert into beat_plays (beat_id, day, plays)
    select id, ${now.toISOString().slice(0, 10)}::date, count from played order by id
    on conflict (day, beat_id) do update set plays = beat_plays.plays + excluded.plays`.execute(db);
}

/** Requests of one listener for one beat within this time count as one play, since players fetch a file in parts. */
const repeatWindowMs = 10 * 60_000;
/** The maximum number of pairs of beat and listener that are remembered. */
const maxRecentPlays = 50_000;
/** The maximum number of beats with unwritten plays. Plays of further beats are dropped, which bounds memory. */
const maxUnwritten = 100_000;

/** Counts plays of previews and writes them in batches. A crash loses the plays of the last minute. */
export class PlayCounter {
  readonly #db: Queryable;
  readonly #clock: Clock;
  #unwritten = new Map<number, number>();
  /**
   * The times of recent plays, by beat and listener. Created on the first play: the cache allocates memory for all
   * entries at once.
   */
  #recentPlays: LRUCache<string, number> | undefined;

  constructor(db: Queryable, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Counts a play. `address` is the listener's IP address. */
  add(beatId: number, address: string): void {
    const beatAndListener = `${beatId} ${clientNetwork(address)}`;
    const nowMs = this.#clock.monotonicMs();
    this.#recentPlays ??= new LRUCache({ max: maxRecentPlays });
    const lastPlayMs = this.#recentPlays.get(beatAndListener);
    if (lastPlayMs !== undefined && nowMs - lastPlayMs < repeatWindowMs) return;
    this.#recentPlays.set(beatAndListener, nowMs);
    if (this.#unwritten.has(beatId) || this.#unwritten.size < maxUnwritten)
      this.#unwritten.set(beatId, (this.#unwritten.get(beatId) ?? 0) + 1);
  }

  /** Writes the counted plays, and keeps them if writing fails. Returns whether there were any. */
  async flush(): Promise<boolean> {
    const plays = this.#unwritten;
    if (plays.size === 0) return false;
    this.#unwritten = new Map();
    try {
      await addPlays(this.#db, plays, new Date(this.#clock.nowMs()));
    } catch (error) {
      for (const [id, count] of plays) this.#unwritten.set(id, (this.#unwritten.get(id) ?? 0) + count);
      throw error;
    }
    return true;
  }
}

/** The number of days shown, including today. */
const shownDays = 30;
const retentionDays = 90;
const dayMs = 86_400_000;

/** The plays and sales of a beat in the last 30 days, including today. */
export interface Reach {
  /** One entry for each day (UTC), oldest first. `sales` is the number of completed orders. */
  days: { day: string; plays: number; sales: number }[];
}

export async function findReach(db: Queryable, beatId: number, now: Date): Promise<Reach> {
  const from = new Date(now.getTime() - (shownDays - 1) * dayMs).toISOString().slice(0, 10);
  const { rows } = await sql<Reach["days"][number]>`
    with sold as (
      select (completed_at at time zone 'UTC')::date as day, count(*)::int as sales from orders
      where beat_id = ${beatId} and status = 'completed' and completed_at >= ${`${from}T00:00:00Z`}::timestamptz
      group by 1)
    select to_char(days.day, 'YYYY-MM-DD') as day, coalesce(played.plays, 0) as plays, coalesce(sold.sales, 0) as sales
    from generate_series(${from}::date, ${from}::date + ${shownDays - 1}::int, interval '1 day') as days (day)
    left join beat_plays played on played.beat_id = ${beatId} and played.day = days.day
    left join sold on sold.day = days.day
    order by days.day`.execute(db);
  return { days: rows };
}

/** Deletes plays older than 90 days. */
export async function deleteOldPlays(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now.getTime() - retentionDays * dayMs).toISOString().slice(0, 10);
  await inBatches(async () => {
    const { numAffectedRows } = await sql`
      delete from beat_plays where (day, beat_id) in (
        select day, beat_id from beat_plays where day < ${before}::date limit ${batchSize})`.execute(db);
    return Number(numAffectedRows ?? 0);
  });
}
