import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { Connection } from "./connection.ts";

/** The callbacks of a subscriber to a channel. */
export interface Subscriber {
  onNotification(payload: string): void;
  /** Called when the channel is subscribed: later notifications arrive, earlier ones may have been missed. */
  onListening(): void;
  /** From now until `onListening`, notifications may be missed. */
  onLost?(): void;
}

interface Subscription {
  channel: string;
  subscriber: Subscriber;
  isListening: boolean;
  firstListening: PromiseWithResolvers<void>;
}

// Together less than a second: a write must be visible everywhere within a second, even if the database's host fails.
const checkEveryMs = 250;
const checkTimeoutMs = 600;
const connectTimeoutMs = 5_000;

/**
 * Subscribes to channels (LISTEN) on a separate connection, which is checked four times a second. If the connection is
 * lost, notifies the subscribers and opens another connection.
 */
export class Listener {
  readonly #open: () => Connection;
  readonly #subscriptions = new Set<Subscription>();
  readonly #closing = new AbortController();
  #connection: Connection | null = null;
  #running: Promise<void> | null = null;

  /** `open` creates a connection object, which is not connected yet. */
  constructor(open: () => Connection) {
    this.#open = open;
  }

  /**
   * Subscribes to a channel. When the connection listens, resolves to a function that unsubscribes. Rejects if
   * the listener is closed before.
   */
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
      await this.#listenUntilLost().catch(() => {});
      await sleep(checkEveryMs, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
    for (const { firstListening } of this.#subscriptions) firstListening.reject(new Error("The database was closed."));
  }

  /** Listens on a new connection until it is lost or the listener is closed. */
  async #listenUntilLost(): Promise<void> {
    const { signal } = this.#closing;
    const connection = this.#open();
    const connectionEnd = Promise.withResolvers<never>();
    connectionEnd.promise.catch(() => {});
    const onClosed = () => connectionEnd.reject(new Error("The connection was closed."));
    connection.once("end", onClosed);
    signal.addEventListener("abort", onClosed, { once: true });
    const withTimeLimit = (timeoutMs: number, work: Promise<unknown>) =>
      withTimeout(
        Promise.race([work, connectionEnd.promise]),
        timeoutMs,
        () => new Error("The listening connection does not respond."),
      );
    connection.on("notification", ({ channel, payload }) => this.#notify(channel, payload ?? ""));
    try {
      await withTimeLimit(connectTimeoutMs, connection.connect());
      this.#connection = connection;
      await withTimeLimit(connectTimeoutMs, this.#listen(connection, [...this.#subscriptions]));
      while (!signal.aborted) {
        await withTimeLimit(checkTimeoutMs, connection.query("select 1"));
        await Promise.race([sleep(checkEveryMs, undefined, { signal }), connectionEnd.promise]);
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
      if (subscription.channel === channel) subscription.subscriber.onNotification(payload);
  }
}
