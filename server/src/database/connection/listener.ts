import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { answerWithin } from "./answer-within.ts";

/** Who follows a channel. */
export interface Follower {
  onNotice(payload: string): void;
  /** Notices come from here on; any sent before may have been missed. */
  onListening(): void;
  /** Notices may be missed from here on, until `onListening`. */
  onLost?(): void;
}

/** What a connection tells of itself. */
export interface ConnectionEvents {
  onnotify(channel: string, payload: string): void;
  onclose(): void;
}

interface Following {
  channel: string;
  follower: Follower;
  isListening: boolean;
  firstListening: PromiseWithResolvers<void>;
}

// Together less than the second within which a write must show everywhere, though the database's host vanish silently.
const askEveryMs = 250;
const answerWithinMs = 600;
const connectWithinMs = 5_000;

/**
 * Follows channels (LISTEN) on one connection of its own. It is asked four times a second whether it still answers; a
 * lost one is told of, and replaced.
 */
export class Listener {
  readonly #open: (events: ConnectionEvents) => postgres.Sql;
  readonly #followings = new Set<Following>();
  readonly #closing = new AbortController();
  #connection: postgres.Sql | null = null;
  #running: Promise<void> | null = null;

  constructor(open: (events: ConnectionEvents) => postgres.Sql) {
    this.#open = open;
  }

  /** Resolves when notices come, to what ends it. */
  async follow(channel: string, follower: Follower): Promise<() => void> {
    const following = { channel, follower, isListening: false, firstListening: Promise.withResolvers<void>() };
    this.#followings.add(following);
    if (this.#connection !== null) this.#listen(this.#connection, [following]).catch(() => {});
    this.#running ??= this.#run();
    await following.firstListening.promise;
    return () => this.#followings.delete(following);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      await this.#hold().catch(() => {});
      await sleep(askEveryMs, undefined, { signal: this.#closing.signal }).catch(() => {});
    }
    for (const { firstListening } of this.#followings) firstListening.reject(new Error("The database was closed."));
  }

  /** Listens on a connection until it is lost. */
  async #hold(): Promise<void> {
    const { signal } = this.#closing;
    const closed = Promise.withResolvers<never>();
    closed.promise.catch(() => {});
    const onclose = () => closed.reject(new Error("The connection was closed."));
    signal.addEventListener("abort", onclose, { once: true });
    const connection = this.#open({ onnotify: (channel, payload) => this.#tell(channel, payload), onclose });
    const answer = (timeoutMs: number, asked: Promise<unknown>) =>
      answerWithin(timeoutMs, Promise.race([asked, closed.promise]), "The listening connection does not answer.");
    try {
      this.#connection = connection;
      await answer(connectWithinMs, this.#listen(connection, [...this.#followings]));
      while (!signal.aborted) {
        await answer(answerWithinMs, connection`select 1`);
        await Promise.race([sleep(askEveryMs, undefined, { signal }), closed.promise]);
      }
    } finally {
      signal.removeEventListener("abort", onclose);
      this.#connection = null;
      for (const following of this.#followings) {
        if (following.isListening && !signal.aborted) following.follower.onLost?.();
        following.isListening = false;
      }
      await connection.end({ timeout: 0 });
    }
  }

  async #listen(connection: postgres.Sql, followings: Following[]): Promise<void> {
    for (const channel of new Set(followings.map((following) => following.channel)))
      await connection.unsafe(`listen "${channel}"`);
    if (connection !== this.#connection) return;
    for (const following of followings) {
      following.isListening = true;
      following.follower.onListening();
      following.firstListening.resolve();
    }
  }

  #tell(channel: string, payload: string): void {
    for (const following of this.#followings) if (following.channel === channel) following.follower.onNotice(payload);
  }
}
