import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Clock } from "../../clock.ts";
import type { Queryable } from "../../database/connection/connect.ts";
import type { Caller, LapsedKey } from "../../http/admission/caller.ts";
import { isWellFormed, sha256 } from "./key-format.ts";
import { type ApiKey, findKeyBySha256, markKeysUsed } from "./queries.ts";

/** What was found under a key; a bad key has no caller. */
interface Finding {
  caller: Caller | null;
  /** Set for a revoked key; one that expires has a caller until then. */
  revoked: LapsedKey | null;
  /** Wall time, Unix milliseconds. */
  expiresAtMs: number;
  /** Monotonic; counted from when the question was asked, so that no answer is older than it seems. */
  askedAtMs: number;
}

interface Flight {
  finding: Promise<Finding>;
  askedAtMs: number;
}

// Half of the second within which a revoked key must have stopped (DESIGN section 2, permissions).
const freshMs = 500;
const lastUsedEveryMs = 60_000;
const flushEveryMs = 5_000;
const defaultMaxKeys = 20_000;

/**
 * Finds whose key it is. Answers, bad keys included, are remembered for half a second, so a busy key costs two
 * look-ups a second and is otherwise found without a wait; and a revoked one stops in time on every instance.
 */
export class CallerCache {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #log: Pick<Logger, "warn">;
  // By the key itself: hashing each request's key would cost more than all the rest.
  readonly #findings: LRUCache<string, Finding>;
  readonly #flights = new Map<string, Flight>();
  #used = new Set<number>();
  readonly #flushTimer: NodeJS.Timeout;

  constructor(db: Queryable, clock: Clock, log: Pick<Logger, "warn">, maxKeys = defaultMaxKeys) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#findings = new LRUCache({ max: maxKeys });
    this.#flushTimer = setInterval(() => void this.flush(), flushEveryMs).unref();
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#findings.size;
  }

  /**
   * The caller of a key; null when it is malformed, unknown, revoked, or expired at this moment. Rejects when the
   * database cannot be asked.
   */
  find(key: string): Caller | null | Promise<Caller | null> {
    const oldestMs = this.#clock.monotonicMs() - freshMs;
    const finding = this.#findings.get(key);
    if (finding === undefined && !isWellFormed(key)) return null;
    if (finding !== undefined && finding.askedAtMs > oldestMs) return this.#unexpired(finding);
    return this.#ask(key, oldestMs).then((found) => this.#unexpired(found));
  }

  /** Whose key it was, when what was found of it is still remembered; null for a key that is nobody's, or good. */
  lapsed(key: string): LapsedKey | null {
    const finding = this.#findings.get(key);
    if (finding === undefined || this.#unexpired(finding) !== null) return null;
    const { caller, revoked } = finding;
    return revoked ?? (caller && { keyId: caller.keyId, userId: caller.userId, reason: "expired" });
  }

  /** Writes down which keys were used since the last time. */
  async flush(): Promise<void> {
    const used = this.#used;
    if (used.size === 0) return;
    this.#used = new Set();
    try {
      await markKeysUsed(this.#db, [...used], new Date(this.#clock.nowMs()));
    } catch (error) {
      for (const keyId of used) this.#used.add(keyId);
      this.#log.warn({ err: error }, "Could not write when API keys were last used; it is tried again");
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#flushTimer);
    await this.flush();
  }

  #unexpired({ caller, expiresAtMs }: Finding): Caller | null {
    return expiresAtMs === Number.POSITIVE_INFINITY || expiresAtMs > this.#clock.nowMs() ? caller : null;
  }

  /** One look-up at a time for each key: whoever comes while it is young enough waits for it too. */
  #ask(key: string, oldestMs: number): Promise<Finding> {
    const flying = this.#flights.get(key);
    if (flying !== undefined && flying.askedAtMs > oldestMs) return flying.finding;
    const askedAtMs = this.#clock.monotonicMs();
    const flight: Flight = { finding: this.#lookUp(key, askedAtMs), askedAtMs };
    this.#flights.set(key, flight);
    const land = () => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    };
    flight.finding.then(land, land);
    return flight.finding;
  }

  async #lookUp(key: string, askedAtMs: number): Promise<Finding> {
    const found = await findKeyBySha256(this.#db, sha256(key));
    const isGood = found !== null && found.revokedAt === null;
    const finding: Finding = {
      caller: isGood ? caller(found) : null,
      revoked: found === null || isGood ? null : { keyId: found.id, userId: found.userId, reason: "revoked" },
      expiresAtMs: isGood ? (found.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
      askedAtMs,
    };
    this.#findings.set(key, finding);
    if (found !== null && this.#unexpired(finding) !== null) this.#noteUse(found);
    return finding;
  }

  /** What is stored tells when any instance last wrote it, so that all of them write once a minute. */
  #noteUse({ id, lastUsedAt }: ApiKey): void {
    if (lastUsedAt === null || lastUsedAt.getTime() + lastUsedEveryMs <= this.#clock.nowMs()) this.#used.add(id);
  }
}

const caller = ({ id, userId, plan, permissions }: ApiKey): Caller => ({
  keyId: id,
  userId,
  plan,
  permissions: new Set(permissions),
});
