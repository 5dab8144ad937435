import type { Clock } from "@beatmarket/foundation/clock.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** A clock that stands still until it is set. The time is also in the database, because triggers read it there. */
export class SandboxClock implements Clock {
  readonly #db: Queryable;
  readonly #system: Clock;
  #nowMs: number;
  /** The milliseconds by which the time was moved forward. `monotonicMs` adds them. */
  #addedMs = 0;

  private constructor(db: Queryable, system: Clock, nowMs: number) {
    this.#db = db;
    this.#system = system;
    this.#nowMs = nowMs;
  }

  /** Returns null for a sandbox that uses the server's time. */
  static async open(db: Queryable, system: Clock): Promise<SandboxClock | null> {
    const { rows } = await sql<{ time: Date | null }>`select time from sandbox.state`.execute(db);
    const time = rows[0]?.time ?? null;
    return time === null ? null : new SandboxClock(db, system, time.getTime());
  }

  nowMs(): number {
    return this.#nowMs;
  }

  /** Advances with the system's clock, so that caches expire and waits end. */
  monotonicMs(): number {
    return this.#system.monotonicMs() + this.#addedMs;
  }

  /** Reads the time, which another server may have set. */
  async refresh(): Promise<void> {
    const { rows } = await sql<{ time: Date }>`select time from sandbox.state`.execute(this.#db);
    this.#moveTo(rows[0]?.time.getTime() ?? this.#nowMs);
  }

  /** Sets the time forward, and ends a batch, or the beginning of a day. Does nothing unless the time is later. */
  async set(nowMs: number): Promise<void> {
    if (nowMs <= this.#nowMs) return;
    await sql`
      update sandbox.state set time = greatest(time, ${new Date(nowMs)}::timestamptz), batch = null`.execute(this.#db);
    this.#moveTo(nowMs);
  }

  /**
   * Sets the time forward to the time of a batch's last order, and stores the batch, so that a process that is killed
   * does not lose the orders that it has not placed. A batch that ends before the present time is already stored.
   */
  async beginBatch(orders: readonly { atMs: number }[]): Promise<void> {
    const lastMs = orders.at(-1)?.atMs ?? 0;
    if (lastMs < this.#nowMs) return;
    await sql`
      update sandbox.state set time = greatest(time, ${new Date(lastMs)}::timestamptz),
        batch = ${JSON.stringify(orders)}::jsonb`.execute(this.#db);
    this.#moveTo(lastMs);
  }

  /**
   * Sets the time forward to a midnight, and stores that its day begins, so that a process that is killed does not skip
   * the work of that midnight.
   */
  async beginDay(midnightMs: number): Promise<void> {
    await sql`
      update sandbox.state set time = greatest(time, ${new Date(midnightMs)}::timestamptz), batch = '[]'`.execute(
      this.#db,
    );
    this.#moveTo(midnightMs);
  }

  /** Ends a batch, or the beginning of a day. */
  async endBatch(): Promise<void> {
    await sql`update sandbox.state set batch = null where batch is not null`.execute(this.#db);
  }

  /**
   * `orders`: the stored orders of a batch that did not end; empty if the time has moved since. `isDayBeginning`:
   * whether the beginning of the present day did not end.
   */
  async interrupted<Planned extends { atMs: number }>(): Promise<{ orders: Planned[]; isDayBeginning: boolean }> {
    const { rows } = await sql<{ batch: Planned[] | null }>`select batch from sandbox.state`.execute(this.#db);
    const batch = rows[0]?.batch ?? null;
    return { orders: batch?.at(-1)?.atMs === this.#nowMs ? batch : [], isDayBeginning: batch?.length === 0 };
  }

  #moveTo(nowMs: number): void {
    if (nowMs <= this.#nowMs) return;
    this.#addedMs += nowMs - this.#nowMs;
    this.#nowMs = nowMs;
  }
}
