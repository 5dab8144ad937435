import type { Clock } from "@beatmarket/foundation/clock.ts";
import { LRUCache } from "lru-cache";
import type { Queryable } from "../../database/connect.ts";
import { findSandbox } from "../../resources/sandboxes/queries.ts";

type LookUp = ReturnType<typeof findSandbox>;

const maxIds = 10_000;
/** A suspension and a deletion take effect within a second on every instance. */
const presentMs = 1_000;
/** Ids are random, so an id without a sandbox will not get one. */
const absentMs = 60_000;

/**
 * Looks up sandboxes by id and caches the result: for `presentMs` if the sandbox exists, for `absentMs` if not. The
 * look-up happens before any rate limit, so without the cache a caller without a key could cause a query per request.
 */
export class KnownSandboxes {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #lookUps = new LRUCache<string, { sandbox: LookUp; untilMs: number }>({ max: maxIds });

  constructor(db: Queryable, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Concurrent calls share a statement. */
  find(id: string): LookUp {
    const nowMs = this.#clock.monotonicMs();
    const cached = this.#lookUps.get(id);
    if (cached !== undefined && nowMs < cached.untilMs) return cached.sandbox;
    const sandbox = findSandbox(this.#db, id);
    const entry = { sandbox, untilMs: nowMs + presentMs };
    this.#lookUps.set(id, entry);
    sandbox.then(
      (row) => {
        if (row === undefined) entry.untilMs = nowMs + absentMs;
      },
      () => {
        if (this.#lookUps.peek(id) === entry) this.#lookUps.delete(id);
      },
    );
    return sandbox;
  }

  /** Call it after this process has changed or deleted the sandbox. */
  forget(id: string): void {
    this.#lookUps.delete(id);
  }
}
