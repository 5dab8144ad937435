import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./connection/connect.ts";

export interface QueuePollerOptions {
  database: Pick<Database, "listener">;
  /** A notification on this channel wakes the poller. */
  channel: string;
  /** Processes the rows that are due. Returns the milliseconds until the next row is due. */
  poll(): Promise<number>;
  onError(error: unknown): void;
}

const retryAfterErrorMs = 1_000;

/**
 * The loop of a worker. Polls its queue at the start, at each notification, when a row is due, and a second after an
 * error.
 */
export class QueuePoller {
  readonly #options: QueuePollerOptions;
  #isStopping = false;
  #isAwake = true;
  #endSleep: () => void = () => {};
  #running: Promise<void> | null = null;
  #unsubscribe: () => void = () => {};

  constructor(options: QueuePollerOptions) {
    this.#options = options;
  }

  /** Resolves when the poller listens for notifications. */
  async start(): Promise<void> {
    const { database, channel } = this.#options;
    const wake = () => this.wake();
    // Notifications may have been missed while the connection was lost, so a new connection wakes the poller.
    this.#unsubscribe = await database.listener.subscribe(channel, { onNotification: wake, onListening: wake });
    this.#running = this.#run();
  }

  /** Whether `wake` was called, or a notification arrived, since the current poll began. */
  get isAwake(): boolean {
    return this.#isAwake;
  }

  /** Polls now, or again after the current poll. */
  wake(): void {
    this.#isAwake = true;
    this.#endSleep();
  }

  /** Resolves when the current poll has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    this.#unsubscribe();
    await this.#running;
  }

  /**
   * Resolves at the next `wake`, or after `ms`. For a worker that waits for its running jobs after the poller has
   * stopped.
   */
  async nextWake(ms: number): Promise<void> {
    this.#isAwake = false;
    await this.#sleep(ms);
  }

  async #run(): Promise<void> {
    const { poll, onError } = this.#options;
    while (!this.#isStopping) {
      this.#isAwake = false;
      let sleepMs = retryAfterErrorMs;
      try {
        sleepMs = await poll();
      } catch (error) {
        onError(error);
      }
      if (!this.#isStopping) await this.#sleep(sleepMs);
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#isAwake || ms <= 0) return;
    const woken = new AbortController();
    this.#endSleep = () => woken.abort();
    await sleep(ms, undefined, { signal: woken.signal }).catch(() => {});
    this.#endSleep = () => {};
  }
}
