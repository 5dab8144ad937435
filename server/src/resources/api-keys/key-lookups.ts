import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Queryable } from "../../database/connect.ts";
import { sha256 } from "./key-format.ts";
import { type ApiKey, apiKeyOf, findKeyRows, type KeyRow } from "./queries.ts";

/** The stored key, null if there is none, and when its statement was sent (monotonic milliseconds). */
export interface KeyLookup {
  found: (ApiKey & { hasBeats: boolean; suspendedFor: string | null }) | null;
  queriedAtMs: number;
}

interface PendingLookup extends PromiseWithResolvers<KeyLookup> {
  /** Infinity before it is sent. */
  sentAtMs: number;
}

const maxKeysAStatement = 500;
/** More than one, so that no slow statement holds up all others. */
const maxStatements = 4;

/**
 * Looks keys up in batches: concurrent look-ups share a statement, and those of one key share a look-up. Under load the
 * statements become longer, not more.
 */
export class KeyLookups {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #lingerMs: number;
  /** Sent or not, by key. */
  readonly #pending = new Map<string, PendingLookup>();
  #unsent: [key: string, lookup: PendingLookup][] = [];
  #statements = 0;
  #isScheduled = false;

  /** `lingerMs`: how long a look-up waits for others to share its statement; with 0, for the rest of the event loop's turn. */
  constructor(db: Queryable, clock: Clock, lingerMs = 0) {
    this.#db = db;
    this.#clock = clock;
    this.#lingerMs = lingerMs;
  }

  /** Looks a key up, or joins a pending look-up that was not sent before `oldestMs`. Rejects if the statement fails. */
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
          const ownerOf = ({ has_beats, suspension_reason }: KeyRow) => ({
            hasBeats: has_beats,
            suspendedFor: suspension_reason,
          });
          resolve({ found: row === undefined ? null : { ...apiKeyOf(row), ...ownerOf(row) }, queriedAtMs });
        } catch (error) {
          // A key that this release cannot read must not fail those beside it.
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
