import { setTimeout as sleep } from "node:timers/promises";
import type { TestDatabase } from "../../harness/database/driver.ts";

const pollIntervalMs = 250;

/**
 * The webhooks whose acknowledgement another connection read as committed. None of them may be sent again after any
 * kill. The service may repeat a delivery if it had no time to commit the acknowledgement (docs/api/events.md).
 */
export class RecordedDeliveries {
  /** The time at which the database had each acknowledgement, by event id. */
  readonly #recordedMs = new Map<string, number>();
  readonly #unrecorded = new Set<string>();
  /** Recorded deliveries that were sent again. */
  readonly doubled = new Set<string>();
  /** The number of requests, including repeated events. */
  requests = 0;
  readonly #received = new Set<string>();

  get events(): number {
    return this.#received.size;
  }

  isReceived(eventId: string): boolean {
    return this.#received.has(eventId);
  }

  receive(eventId: string): void {
    this.requests++;
    this.#received.add(eventId);
    if (this.#recordedMs.has(eventId)) this.doubled.add(eventId);
    else this.#unrecorded.add(eventId);
  }

  /** Polls the database until the caller stops it. */
  watch(db: TestDatabase): { stop(): Promise<void> } {
    let isOver = false;
    const loop = (async () => {
      while (!isOver) {
        await this.#look(db);
        await sleep(pollIntervalMs);
      }
      await this.#look(db);
    })();
    return {
      stop: () => {
        isOver = true;
        return loop;
      },
    };
  }

  /** Reports a restore, which may lack everything after `promisedMs`. Deliveries recorded later may be sent again. */
  reportRestore(promisedMs: number): void {
    for (const [id, atMs] of this.#recordedMs) if (atMs > promisedMs) this.#recordedMs.delete(id);
    this.#unrecorded.clear();
  }

  async #look(db: TestDatabase): Promise<void> {
    const rows = await db.driver<{ event_id: string }[]>`
      select event_id from webhook_deliveries where state = 'succeeded' and event_id = any(${[...this.#unrecorded]})`;
    const atMs = performance.now();
    for (const { event_id } of rows) {
      this.#recordedMs.set(event_id, atMs);
      this.#unrecorded.delete(event_id);
    }
  }
}
