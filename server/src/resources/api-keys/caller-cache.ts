import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { FormerKey } from "@beatmarket/http/application.ts";
import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Caller } from "../../access/caller.ts";
import type { Queryable } from "../../database/connect.ts";
import { isWellFormed, sha256 } from "./key-format.ts";
import { type ApiKey, apiKeyOf, findKeyRows, type KeyRow, markKeysUsed } from "./queries.ts";

interface KeyLookup {
  storedKey: (ApiKey & { hasBeats: boolean; suspensionReason: string | null; accountVersion: string | null }) | null;
  queriedAtMs: number;
}

interface PendingLookup extends PromiseWithResolvers<KeyLookup> {
  /** The monotonic time at which the statement was sent; Infinity before. */
  sentAtMs: number;
}

const maxKeysAStatement = 500;
/** The maximum number of concurrent statements. More than one, so that a slow statement does not block all look-ups. */
const maxStatements = 4;

/**
 * Looks keys up in batches: concurrent look-ups share a statement, and callers with the same key share a look-up. Under
 * load the statements get more keys, and their number stays small.
 */
class KeyLookups {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #lingerMs: number;
  /** Look-ups by key, sent or not. */
  readonly #pending = new Map<string, PendingLookup>();
  #unsent: [key: string, lookup: PendingLookup][] = [];
  #statements = 0;
  #isScheduled = false;

  /**
   * `lingerMs`: how long a look-up waits for others to share its statement. With 0, until the end of the event loop's
   * turn.
   */
  constructor(db: Queryable, clock: Clock, lingerMs = 0) {
    this.#db = db;
    this.#clock = clock;
    this.#lingerMs = lingerMs;
  }

  /** Looks a key up, or joins a look-up that is unsent or was sent after `oldestMs`. Rejects if the statement fails. */
  find(key: string, oldestMs: number): Promise<KeyLookup> {
    const pending = this.#pending.get(key);
    if (pending !== undefined && pending.sentAtMs > oldestMs) return pending.promise;
    const lookup = { ...Promise.withResolvers<KeyLookup>(), sentAtMs: Number.POSITIVE_INFINITY };
    this.#pending.set(key, lookup);
    this.#unsent.push([key, lookup]);
    this.#schedule();
    return lookup.promise;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#statements === maxStatements || this.#unsent.length === 0) return;
    this.#isScheduled = true;
    const send = () => {
      this.#isScheduled = false;
      void this.#send(this.#unsent.splice(0, maxKeysAStatement));
      this.#schedule();
    };
    if (this.#lingerMs === 0) setImmediate(send);
    else setTimeout(send, this.#lingerMs);
  }

  async #send(batch: readonly [string, PendingLookup][]): Promise<void> {
    this.#statements++;
    const queriedAtMs = this.#clock.monotonicMs();
    for (const [, lookup] of batch) lookup.sentAtMs = queriedAtMs;
    try {
      const digests = batch.map(([key]) => sha256(key));
      const rows = await findKeyRows(this.#db, digests);
      for (const [index, [, { resolve, reject }]] of batch.entries())
        try {
          const row = rows.get((digests[index] as Buffer).toString("hex"));
          const ownerOf = ({ has_beats, suspension_reason, account_version }: KeyRow) => ({
            hasBeats: has_beats,
            suspensionReason: suspension_reason,
            accountVersion: account_version,
          });
          resolve({ storedKey: row === undefined ? null : { ...apiKeyOf(row), ...ownerOf(row) }, queriedAtMs });
        } catch (error) {
          // A key that this release cannot read must not fail the other keys of the batch.
          reject(error);
        }
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    } finally {
      this.#statements--;
      for (const [key, lookup] of batch) if (this.#pending.get(key) === lookup) this.#pending.delete(key);
      this.#schedule();
    }
  }
}

/** The cached result of a look-up. An unknown or revoked key has no caller. */
interface LookupResult {
  caller: Caller | null;
  /** Set for a revoked key. An expired key keeps its caller and has `expiresAtMs` in the past. */
  revoked: FormerKey | null;
  /** Wall time, Unix milliseconds. */
  expiresAtMs: number;
  /**
   * Monotonic. The time at which the query was sent, not when it returned, so that a slow query does not extend the
   * TTL.
   */
  queriedAtMs: number;
}

// A revoked key must stop within a second (docs/api/authentication.md, Invalid keys).
const ttlMs = 500;
const lastUsedIntervalMs = 60_000;
const flushIntervalMs = 5_000;
const throttledLingerMs = 50;
const defaultMaxGoodKeys = 20_000;
const defaultMaxBadKeys = 5_000;

export interface CallerCacheOptions {
  /** Whether a client address has sent too many invalid keys. */
  isThrottled?: (address: string) => boolean;
  maxGoodKeys?: number;
  maxBadKeys?: number;
  /** The number of threads of the process that have a cache; each has its part of the default limits. */
  threads?: number;
}

/**
 * Resolves API keys to callers. Caches results, including those of invalid keys, for half a second. So a busy key costs
 * two look-ups a second, and every instance notices a revocation in time. Invalid keys neither evict valid ones nor
 * delay their look-ups: from a network that is throttled for invalid keys, keys that are not cached as valid are looked
 * up in batches, 20 times a second.
 */
export class CallerCache {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #log: Pick<Logger, "warn">;
  // Keyed by the key itself: a hash per request would cost more than the rest of the look-up.
  readonly #good: LRUCache<string, LookupResult>;
  readonly #bad: LRUCache<string, LookupResult>;
  readonly #lookUps: KeyLookups;
  readonly #throttledLookUps: KeyLookups;
  readonly #isThrottled: (address: string) => boolean;
  /** The used keys whose `last_used_at` the next flush writes. */
  #usedKeyIds = new Set<number>();
  readonly #flushTimer: NodeJS.Timeout;

  constructor(db: Queryable, clock: Clock, log: Pick<Logger, "warn">, options: CallerCacheOptions = {}) {
    const { threads = 1 } = options;
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#good = new LRUCache({ max: options.maxGoodKeys ?? Math.floor(defaultMaxGoodKeys / threads) });
    this.#bad = new LRUCache({ max: options.maxBadKeys ?? Math.floor(defaultMaxBadKeys / threads) });
    this.#lookUps = new KeyLookups(db, clock);
    this.#throttledLookUps = new KeyLookups(db, clock, throttledLingerMs);
    this.#isThrottled = options.isThrottled ?? (() => false);
    this.#flushTimer = setInterval(() => void this.flush(), flushIntervalMs).unref();
  }

  /** The number of cached keys. */
  get size(): number {
    return this.#good.size + this.#bad.size;
  }

  /**
   * The caller of a key; null if the key is malformed, unknown, revoked or expired. A cache miss returns a promise,
   * which rejects if the query fails. The client's address is read only on a cache miss.
   */
  find(key: string, client?: { readonly clientAddress: string }): Caller | null | Promise<Caller | null> {
    const oldestMs = this.#clock.monotonicMs() - ttlMs;
    const good = this.#good.get(key);
    const cached = good ?? this.#bad.get(key);
    if (cached === undefined && !isWellFormed(key)) return null;
    if (cached !== undefined && cached.queriedAtMs > oldestMs) return this.#unexpired(cached);
    const isSuspect = good === undefined && client !== undefined && this.#isThrottled(client.clientAddress);
    const lookUps = isSuspect ? this.#throttledLookUps : this.#lookUps;
    return lookUps.find(key, oldestMs).then((lookup) => this.#unexpired(this.#add(key, lookup)));
  }

  /** The key with its owner, if it is cached as revoked or expired; null for any other key. */
  former(key: string): FormerKey | null {
    const cached = this.#bad.get(key) ?? this.#good.get(key);
    if (cached === undefined || this.#unexpired(cached) !== null) return null;
    const { caller, revoked } = cached;
    return revoked ?? (caller && { keyId: caller.keyId, userId: caller.userId, reason: "expired" });
  }

  /** Writes `last_used_at` of the keys used since the last flush. */
  async flush(): Promise<void> {
    const usedKeyIds = this.#usedKeyIds;
    if (usedKeyIds.size === 0) return;
    this.#usedKeyIds = new Set();
    try {
      await markKeysUsed(this.#db, [...usedKeyIds], new Date(this.#clock.nowMs()));
    } catch (error) {
      for (const keyId of usedKeyIds) this.#usedKeyIds.add(keyId);
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

  /** Caches a look-up. Runs once for each `find` that joined the look-up. */
  #add(key: string, { storedKey, queriedAtMs }: KeyLookup): LookupResult {
    const cached = this.#good.peek(key) ?? this.#bad.peek(key);
    if (cached?.queriedAtMs === queriedAtMs) return cached;
    const isValid = storedKey !== null && storedKey.revokedAt === null;
    const result: LookupResult = {
      caller: isValid ? callerOf(storedKey) : null,
      revoked:
        storedKey === null || isValid ? null : { keyId: storedKey.id, userId: storedKey.userId, reason: "revoked" },
      expiresAtMs: isValid ? (storedKey.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
      queriedAtMs,
    };
    // Look-ups may end in another order than they were sent.
    if (cached !== undefined && cached.queriedAtMs > queriedAtMs) return result;
    const isGood = this.#unexpired(result) !== null;
    (isGood ? this.#bad : this.#good).delete(key);
    (isGood ? this.#good : this.#bad).set(key, result);
    if (storedKey !== null && isGood) this.#noteUse(storedKey);
    return result;
  }

  /**
   * Checks the stored time, which any instance may have written, so that all instances together write once a minute.
   */
  #noteUse({ id, lastUsedAt }: ApiKey): void {
    if (lastUsedAt === null || lastUsedAt.getTime() + lastUsedIntervalMs <= this.#clock.nowMs())
      this.#usedKeyIds.add(id);
  }
}

const callerOf = ({
  id,
  userId,
  plan,
  permissions,
  expiresAt,
  hasBeats,
  suspensionReason,
  spendingCapCents,
  allowedNetworks,
  version,
  accountVersion,
}: NonNullable<KeyLookup["storedKey"]>): Caller => ({
  keyId: id,
  userId,
  plan,
  permissions: new Set(permissions),
  ...(expiresAt !== null && { expiresAtMs: expiresAt.getTime() }),
  ...(hasBeats && { hasBeats }),
  ...(suspensionReason !== null && { suspensionReason }),
  ...(spendingCapCents !== null && { spendingCapCents }),
  ...(allowedNetworks.length > 0 && { allowedNetworks }),
  ...(version !== null && { version }),
  ...(accountVersion !== null && { accountVersion }),
});
