import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { type Kysely, sql } from "kysely";
import { LRUCache } from "lru-cache";
import { type AuthenticationTables, tablesOf } from "./tables.ts";

/** At most `limit` attempts in a window of `windowSeconds`. The first attempt starts the window. */
export interface AttemptLimit {
  limit: number;
  windowSeconds: number;
}

const maxSubjectLength = 400;
/**
 * A refusal is cached in memory for at most this long, so that a flood of refused attempts costs one statement in ten
 * seconds.
 */
const refusalMs = 10_000;
const maxRefusals = 10_000;

interface Refusal {
  askAgainMs: number;
  windowEndsMs: number;
}

/** Counts the attempts of a subject, such as `sign-in from 203.0.113.9`, in the database, which all instances share. */
export class Attempts {
  readonly #db: Kysely<AuthenticationTables>;
  readonly #clock: Clock;
  readonly #refusals = new LRUCache<string, Refusal>({ max: maxRefusals });

  constructor(db: Queryable, clock: Clock) {
    this.#db = tablesOf(db);
    this.#clock = clock;
  }

  /** The number of subjects with a cached refusal. */
  get refused(): number {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#refusals.values()].filter(({ askAgainMs }) => askAgainMs > nowMs).length;
  }

  /** Counts an attempt. Throws 429 with Retry-After above the limit. Refused attempts do not extend the window. */
  async count(subject: string, limit: AttemptLimit): Promise<void> {
    const windowEndsMs = await this.#refusedUntil(subject, limit);
    if (windowEndsMs === null) return;
    const waitSeconds = Math.ceil((windowEndsMs - this.#clock.nowMs()) / 1000);
    throw new ApiError(
      429,
      "rate_limit_exceeded",
      "Too many attempts",
      `There were too many attempts. Try again in ${inWords(waitSeconds)}.`,
      { headers: { "retry-after": String(waitSeconds) }, refusedBy: "limit:attempts" },
    );
  }

  /** Counts an attempt. Returns false above the limit. */
  async admits(subject: string, limit: AttemptLimit): Promise<boolean> {
    return (await this.#refusedUntil(subject, limit)) === null;
  }

  /** Resets the count of a subject. */
  async forget(subject: string): Promise<void> {
    this.#refusals.delete(subject);
    await this.#db.deleteFrom("portal_attempts").where("subject", "=", subject.slice(0, maxSubjectLength)).execute();
  }

  /**
   * Counts an attempt. Returns the end of the window, by the wall clock, for a refused attempt; null for an admitted
   * one.
   */
  async #refusedUntil(subject: string, { limit, windowSeconds }: AttemptLimit): Promise<number | null> {
    const refusal = this.#refusals.get(subject);
    if (refusal !== undefined && refusal.askAgainMs > this.#clock.monotonicMs()) return refusal.windowEndsMs;
    const nowMs = this.#clock.nowMs();
    const askedMs = this.#clock.monotonicMs();
    const now = new Date(nowMs);
    const { count, window_ends_at } = await this.#db
      .insertInto("portal_attempts")
      .values({
        subject: subject.slice(0, maxSubjectLength),
        count: 1,
        window_ends_at: new Date(nowMs + windowSeconds * 1000),
      })
      .onConflict((conflict) =>
        conflict.column("subject").doUpdateSet({
          count: sql`case when portal_attempts.window_ends_at <= ${now} then 1 else portal_attempts.count + 1 end`,
          window_ends_at: sql`case when portal_attempts.window_ends_at <= ${now} then excluded.window_ends_at
                                   else portal_attempts.window_ends_at end`,
        }),
      )
      .returning(["count", "window_ends_at"])
      .executeTakeFirstOrThrow();
    if (count <= limit) return null;
    const windowEndsMs = window_ends_at.getTime();
    const memoryMs = Math.min(refusalMs, windowEndsMs - nowMs);
    this.#refusals.set(subject, { askAgainMs: askedMs + memoryMs, windowEndsMs });
    return windowEndsMs;
  }
}

/** Deletes ended windows. */
export async function sweepAttempts(db: Queryable, now: Date): Promise<void> {
  await tablesOf(db).deleteFrom("portal_attempts").where("window_ends_at", "<", now).execute();
}

function inWords(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
