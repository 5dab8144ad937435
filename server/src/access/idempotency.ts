import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError, conflict, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { withoutSecrets } from "@beatmarket/foundation/text/secrets.ts";
import type { RenderedForms } from "@beatmarket/http/pipeline/route.ts";
import { sql } from "kysely";
import type { Queryable } from "../database/connect.ts";

export interface KeyedRequest {
  userId: number;
  /** The value of the header. */
  key: string;
  operation: string;
  /**
   * The validated input, so that equal requests compare equal. `ifMatch` is the header's value; undefined without the
   * header.
   */
  input: { params: object; body: object; ifMatch?: string | undefined };
}

const storageMs = 24 * 3_600_000;
const leaseMs = 60_000;
const waitUpToMs = 10_000;
const firstPauseMs = 20;
const longestPauseMs = 500;
const sweepBatch = 5_000;

/**
 * Executes a request once for each Idempotency-Key of an account (docs/api/conventions.md, Idempotency). A successful
 * response is stored for 24 hours. After a 4xx nothing is stored, so the key may be used again. After a 5xx the run is
 * stored, and the next retry continues it. A run is leased for a minute: if its process dies, another process continues
 * it.
 */
export class IdempotencyKeys {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #waitUpToMs: number;

  constructor(db: Queryable, clock: Clock, options: { waitUpToMs?: number } = {}) {
    this.#db = db;
    this.#clock = clock;
    this.#waitUpToMs = options.waitUpToMs ?? waitUpToMs;
  }

  /**
   * `execute` receives the run's id and must store it with everything that it creates, so that a retry of the run can
   * find it. Throws 409 if the key was used with another request, or if its request still runs after ten seconds.
   */
  async once(
    request: KeyedRequest,
    execute: (run: string) => Promise<RenderedForms>,
  ): Promise<{ rendered: RenderedForms; replayed: boolean }> {
    requireKey(request.key);
    const fingerprint = fingerprintOf(request);
    const stored = { ...request, key: storedKey(request) };
    let waitedMs = 0;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const run = await this.#claim(stored, fingerprint);
      if (run !== null) return { rendered: await this.#execute(stored, run, execute), replayed: false };
      const earlier = await this.#find(stored);
      if (earlier === undefined) continue;
      if (!earlier.fingerprint.equals(fingerprint))
        throw conflict("This Idempotency-Key came with another request before. Use a new key for a new request.");
      if (earlier.answer !== null) return { rendered: JSON.parse(earlier.answer), replayed: true };
      if (waitedMs >= this.#waitUpToMs) throw this.#stillRunning(earlier.leased_until);
      await sleep(pauseMs);
      waitedMs += pauseMs;
    }
  }

  /** Deletes keys that are 24 hours old or older, in small batches. */
  async sweep(): Promise<void> {
    let deleted: bigint;
    do {
      const result = await this.#db
        .deleteFrom("idempotency_keys")
        .where(
          sql<boolean>`(user_id, key) in (select user_id, key from idempotency_keys
            where created_at <= ${this.#expiryTime()} limit ${sweepBatch})`,
        )
        .executeTakeFirstOrThrow();
      deleted = result.numDeletedRows;
    } while (deleted === BigInt(sweepBatch));
  }

  /**
   * The run to execute: a new run, or a run whose lease has expired. Null if the run has a response, is being executed,
   * or belongs to another request.
   */
  async #claim({ userId, key }: KeyedRequest, fingerprint: Buffer): Promise<string | null> {
    const now = new Date(this.#clock.nowMs());
    const isExpired = sql<boolean>`idempotency_keys.created_at <= ${this.#expiryTime()}`;
    const claimed = await this.#db
      .insertInto("idempotency_keys")
      .values({
        user_id: userId,
        key,
        run: randomUUID(),
        fingerprint,
        leased_until: new Date(now.getTime() + leaseMs),
        created_at: now,
      })
      .onConflict((conflict) =>
        conflict
          .columns(["user_id", "key"])
          .doUpdateSet({
            run: sql<string>`case when ${isExpired} then excluded.run else idempotency_keys.run end`,
            fingerprint: sql<Buffer>`excluded.fingerprint`,
            leased_until: sql<Date>`excluded.leased_until`,
            answer: null,
            created_at: sql<Date>`case when ${isExpired} then excluded.created_at else idempotency_keys.created_at end`,
          })
          .where(
            sql<boolean>`${isExpired} or (idempotency_keys.answer is null
              and idempotency_keys.leased_until <= ${now} and idempotency_keys.fingerprint = excluded.fingerprint)`,
          ),
      )
      .returning("run")
      .executeTakeFirst();
    return claimed?.run ?? null;
  }

  #find({ userId, key }: KeyedRequest) {
    return this.#db
      .selectFrom("idempotency_keys")
      .select(["fingerprint", "answer", "leased_until"])
      .where("user_id", "=", userId)
      .where("key", "=", key)
      .executeTakeFirst();
  }

  async #execute(
    { userId, key }: KeyedRequest,
    run: string,
    execute: (run: string) => Promise<RenderedForms>,
  ): Promise<RenderedForms> {
    const running = sql<boolean>`user_id = ${userId} and key = ${key} and run = ${run} and answer is null`;
    try {
      const rendered = await execute(run);
      await this.#db
        .updateTable("idempotency_keys")
        .set({ answer: JSON.stringify(rendered) })
        .where(running)
        .execute();
      return rendered;
    } catch (error) {
      if (error instanceof ApiError && error.status < 500)
        await this.#db.deleteFrom("idempotency_keys").where(running).execute();
      else
        await this.#db
          .updateTable("idempotency_keys")
          .set({ leased_until: new Date(this.#clock.nowMs()) })
          .where(running)
          .execute()
          // If the database caused the failure, this fails too, and the lease expires later.
          .catch(() => {});
      throw error;
    }
  }

  #expiryTime(): Date {
    return new Date(this.#clock.nowMs() - storageMs);
  }

  #stillRunning(leasedUntil: Date): ApiError {
    const seconds = Math.max(1, Math.ceil((leasedUntil.getTime() - this.#clock.nowMs()) / 1000));
    return conflict(
      `The first request with this Idempotency-Key is still running. Send it again in ${seconds} seconds.`,
      { "retry-after": String(seconds) },
    );
  }
}

function requireKey(key: string): void {
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidRequest(
      "The Idempotency-Key header takes 1 to 255 visible ASCII characters without spaces, such as a UUID.",
      "Idempotency-Key",
    );
}

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/**
 * The key to store: a hash if the key looks like a card number or a secret, which are never stored. One in 300 UUIDs
 * looks like a card number by chance, so UUIDs are stored unchanged.
 */
const storedKey = ({ userId, key }: KeyedRequest): string =>
  uuid.test(key) || withoutSecrets(key) === key
    ? key
    : `sha256:${createHash("sha256").update(`${userId} ${key}`).digest("hex")}`;

function fingerprintOf({ operation, input: { params, body, ifMatch } }: KeyedRequest): Buffer {
  const sortEntries = (fields: object) => Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(
      JSON.stringify([operation, sortEntries(params), sortEntries(body), ...(ifMatch === undefined ? [] : [ifMatch])]),
    )
    .digest();
}
