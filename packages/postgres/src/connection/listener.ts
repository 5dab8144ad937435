import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { Connection } from "./connection.ts";

/** What a subscriber to a channel is notified of. */
export interface Subscriber {
  onNotice(payload: string): void;
  /** Notices come from here on; any sent before may have been missed. */
  onListening(): void;
  /** Notices may be missed from here on, until `onListening`. */
  onLost?(): void;
}

interface Subscription {
  channel: string;
  subscriber: Subscriber;
  isListening: boolean;
  firstListening: PromiseWithResolvers<void>;
}

// Together less than the second within which a write must show everywhere, even when the database's host vanishes.
const checkEveryMs = 250;
const checkTimeoutMs = 600;
const connectTimeoutMs = 5_000;

/**
 * Subscribes to channels (LISTEN) on a connection of its own. The connection is checked four times a second; when it is
 * lost, subscribers are notified and it is replaced.
 */
export class Listener {
  readonly #open: () => Connection;
  readonly #subscriptions = new Set<Subscription>();
  readonly #closing = new AbortController();
  #connection: Connection | null = null;
  #running: Promise<void> | null = null;

  /** `open` makes a connection that is not yet connected. */
  constructor(open: () => Connection) {
    this.#open = open;
  }

  /** Resolves once notices come, to a function that unsubscribes. */
  async subscribe(channel: string, subscriber: Subscriber): Promise<() => void> {
    const subscription = { channel, subscriber, isListening: false, firstListening: Promise.withResolvers<void>() };
    this.#subscriptions.add(subscription);
    if (this.#connection !== null) this.#listen(this.#connection, [subscription]).catch(() => {});
    this.#running ??= this.#run();
    await subscription.firstListening.promise;
    return () => this.#subscriptions.delete(subscription);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await this.#hold().catch(() => {});
      await sleep(checkEveryMs, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
    for (const { firstListening } of this.#subscriptions) firstListening.reject(new Error("The database was closed."));
  }

  /** Listens on a connection until it is lost or the listener is closed. */
  async #hold(): Promise<void> {
    const { signal } = this.#closing;
    const connection = this.#open();
    const closed = Promise.withResolvers<never>();
    closed.promise.catch(() => {});
    const onClosed = () => closed.reject(new Error("The connection was closed."));
    connection.once("end", onClosed);
    signal.addEventListener("abort", onClosed, { once: true });
    const inTime = (timeoutMs: number, work: Promise<unknown>) =>
      withTimeout(
        Promise.race([work, closed.promise]),
        timeoutMs,
        () => new Error("The listening connection is silent."),
      );
    connection.on("notification", ({ channel, payload }) => this.#notify(channel, payload ?? ""));
    try {
      await inTime(connectTimeoutMs, connection.connect());
      this.#connection = connection;
      await inTime(connectTimeoutMs, this.#listen(connection, [...this.#subscriptions]));
      while (!signal.aborted) {
        await inTime(checkTimeoutMs, connection.query("select 1"));
        await Promise.race([sleep(checkEveryMs, undefined, { signal }), closed.promise]);
      }
    } finally {
      signal.removeEventListener("abort", onClosed);
      this.#connection = null;
      for (const subscription of this.#subscriptions) {
        if (subscription.isListening && !signal.aborted) subscription.subscriber.onLost?.();
        subscription.isListening = false;
      }
      connection.destroy();
    }
  }

  async #listen(connection: Connection, subscriptions: Subscription[]): Promise<void> {
    for (const channel of new Set(subscriptions.map((subscription) => subscription.channel)))
      await connection.query(`listen "${channel}"`);
    if (connection !== this.#connection) return;
    for (const subscription of subscriptions) {
      subscription.isListening = true;
      subscription.subscriber.onListening();
      subscription.firstListening.resolve();
    }
  }

  #notify(channel: string, payload: string): void {
    for (const subscription of this.#subscriptions)
      if (subscription.channel === channel) subscription.subscriber.onNotice(payload);
  }
}
