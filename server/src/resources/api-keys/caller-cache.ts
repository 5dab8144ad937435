import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Queryable } from "../../database/connection/connect.ts";
import type { Caller, LapsedKey } from "../../http/admission/caller.ts";
import { isWellFormed, sha256 } from "./key-format.ts";
import { type ApiKey, findKeyBySha256, markKeysUsed } from "./queries.ts";

/** The cached result of a look-up. An invalid key has no caller. */
interface LookupResult {
  caller: Caller | null;
  /** Set for a revoked key. An expired key keeps its caller and has `expiresAtMs` in the past. */
  revoked: LapsedKey | null;
  /** Wall time, Unix milliseconds. */
  expiresAtMs: number;
  /** Monotonic. When the query was sent, not when it returned, so that a slow query does not extend the TTL. */
  queriedAtMs: number;
}

interface PendingLookup {
  result: Promise<LookupResult>;
  queriedAtMs: number;
}

// A revoked key must stop within a second (docs/api/authentication.md, Invalid keys).
const ttlMs = 500;
const lastUsedIntervalMs = 60_000;
const flushIntervalMs = 5_000;
const defaultMaxKeys = 20_000;

/**
 * Resolves API keys to callers. Caches results, invalid keys included, for half a second: a busy key costs two queries a
 * second, and every instance notices a revocation in time.
 */
export class CallerCache {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #log: Pick<Logger, "warn">;
  // Keyed by the key itself: a hash per request would cost more than the rest of the look-up.
  readonly #results: LRUCache<string, LookupResult>;
  readonly #pending = new Map<string, PendingLookup>();
  /** Keys whose `last_used_at` is due. */
  #used = new Set<number>();
  readonly #flushTimer: NodeJS.Timeout;

  constructor(db: Queryable, clock: Clock, log: Pick<Logger, "warn">, maxKeys = defaultMaxKeys) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#results = new LRUCache({ max: maxKeys });
    this.#flushTimer = setInterval(() => void this.flush(), flushIntervalMs).unref();
  }

  /** The number of cached keys. */
  get size(): number {
    return this.#results.size;
  }

  /**
   * The caller of a key; null if the key is malformed, unknown, revoked or expired. A promise only on a cache miss; it
   * rejects if the query fails.
   */
  find(key: string): Caller | null | Promise<Caller | null> {
    const oldestMs = this.#clock.monotonicMs() - ttlMs;
    const cached = this.#results.get(key);
    if (cached === undefined && !isWellFormed(key)) return null;
    if (cached !== undefined && cached.queriedAtMs > oldestMs) return this.#unexpired(cached);
    return this.#lookUp(key, oldestMs).then((result) => this.#unexpired(result));
  }

  /** The owner of a revoked or expired key, if its result is still cached; null for valid and unknown keys. */
  lapsed(key: string): LapsedKey | null {
    const cached = this.#results.get(key);
    if (cached === undefined || this.#unexpired(cached) !== null) return null;
    const { caller, revoked } = cached;
    return revoked ?? (caller && { keyId: caller.keyId, userId: caller.userId, reason: "expired" });
  }

  /** Writes `last_used_at` of the keys used since the last flush. */
  async flush(): Promise<void> {
    const used = this.#used;
    if (used.size === 0) return;
    this.#used = new Set();
    try {
      await markKeysUsed(this.#db, [...used], new Date(this.#clock.nowMs()));
    } catch (error) {
      for (const keyId of used) this.#used.add(keyId);
      this.#log.warn({ err: error }, "Could not write when API keys were last used; retrying");
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#flushTimer);
    await this.flush();
  }

  #unexpired({ caller, expiresAtMs }: LookupResult): Caller | null {
    return expiresAtMs === Number.POSITIVE_INFINITY || expiresAtMs > this.#clock.nowMs() ? caller : null;
  }

  /** Coalesces concurrent look-ups of a key, unless the pending one was sent before `oldestMs`. */
  #lookUp(key: string, oldestMs: number): Promise<LookupResult> {
    const pending = this.#pending.get(key);
    if (pending !== undefined && pending.queriedAtMs > oldestMs) return pending.result;
    const queriedAtMs = this.#clock.monotonicMs();
    const lookup: PendingLookup = { result: this.#query(key, queriedAtMs), queriedAtMs };
    this.#pending.set(key, lookup);
    const settle = () => {
      if (this.#pending.get(key) === lookup) this.#pending.delete(key);
    };
    lookup.result.then(settle, settle);
    return lookup.result;
  }

  async #query(key: string, queriedAtMs: number): Promise<LookupResult> {
    const found = await findKeyBySha256(this.#db, sha256(key));
    const isValid = found !== null && found.revokedAt === null;
    const result: LookupResult = {
      caller: isValid ? caller(found) : null,
      revoked: found === null || isValid ? null : { keyId: found.id, userId: found.userId, reason: "revoked" },
      expiresAtMs: isValid ? (found.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
      queriedAtMs,
    };
    this.#results.set(key, result);
    if (found !== null && this.#unexpired(result) !== null) this.#noteUse(found);
    return result;
  }

  /** Checks the stored time, which any instance may have written, so that all instances together write once a minute. */
  #noteUse({ id, lastUsedAt }: ApiKey): void {
    if (lastUsedAt === null || lastUsedAt.getTime() + lastUsedIntervalMs <= this.#clock.nowMs()) this.#used.add(id);
  }
}

const caller = ({ id, userId, plan, permissions }: ApiKey): Caller => ({
  keyId: id,
  userId,
  plan,
  permissions: new Set(permissions),
});
