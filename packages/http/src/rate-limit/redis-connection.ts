import type { RedisAddress } from "./redis-address.ts";
import { RedisLink } from "./redis-link.ts";

/** Times a command's time-out: the master, or the masters of a cluster, are found over several connections. */
const openingTimeouts = { server: 4, cluster: 8, sentinel: 8 };

export interface RedisConnectionOptions {
  address: RedisAddress;
  /** A command without a reply for this long means that the connection is lost. */
  timeoutMs: number;
  retryIntervalMs: number;
  onConnect(session: RedisSession): void;
  /** Called for each failed attempt to connect, and when the connection ends. */
  onFailure(reason: unknown): void;
}

/** One established connection. */
export interface RedisSession {
  /** Identifies the Redis process that has the bucket. Changes with a restart or a failover, which may lose data. */
  runOf(bucket: number): string;
  keyOf(bucket: number): string;
  /** A bucket of each server. */
  readonly probed: readonly number[];
  /** Sends a command whose one key is that of the bucket. */
  send(bucket: number, command: readonly string[]): Promise<unknown>;
}

/**
 * Keeps a connection to Redis. When it fails, a command times out, or is answered with an error, rejects all pending
 * commands at once and reconnects until it succeeds.
 */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  #link: RedisLink | null = null;
  /** Commands without a reply, oldest first. */
  readonly #pending = new Set<{ sentAtMs: number; reject: (reason: Error) => void }>();
  readonly #timeoutCheck: NodeJS.Timeout;
  #retry: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#timeoutCheck = setInterval(() => this.#checkTimeout(), options.timeoutMs / 2).unref();
  }

  /** Resolves after the first attempt. Keeps retrying if it fails. */
  async open(): Promise<void> {
    const { address, timeoutMs } = this.#options;
    const connectTimeoutMs = timeoutMs * openingTimeouts.server;
    const link: RedisLink = new RedisLink(address, connectTimeoutMs, (error) => this.#disconnect(link, error));
    this.#link = link;
    const openTimeoutMs = timeoutMs * openingTimeouts[address.kind];
    // No withTimeout: the connection must be destroyed, which rejects what is awaited below.
    const timeout = setTimeout(
      () => this.#disconnect(link, new Error(`Redis did not accept the connection within ${openTimeoutMs} ms.`)),
      openTimeoutMs,
    );
    try {
      await link.open();
      if (this.#link !== link) return;
      this.#options.onConnect({
        runOf: (bucket) => link.runOf(bucket),
        keyOf: (bucket) => link.keyOf(bucket),
        probed: link.probed,
        send: (bucket, command) => this.#send(link, bucket, command),
      });
    } catch (error) {
      this.#disconnect(link, error);
    } finally {
      clearTimeout(timeout);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timeoutCheck);
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.drop(new Error("The server is stopping."));
  }

  /** Ends the connection, as an error reply does, and begins another one. */
  drop(reason: unknown): void {
    if (this.#link !== null) this.#disconnect(this.#link, reason);
  }

  #send(link: RedisLink, bucket: number, command: readonly string[]): Promise<unknown> {
    if (this.#link !== link) return Promise.reject(new Error("The connection to Redis is lost."));
    return new Promise((resolve, reject) => {
      const pending = { sentAtMs: performance.now(), reject };
      this.#pending.add(pending);
      link
        .send(bucket, command)
        .then(resolve, (error) => {
          reject(error);
          if (!isScriptMissing(error)) this.#disconnect(link, error);
        })
        .finally(() => this.#pending.delete(pending));
    });
  }

  #checkTimeout(): void {
    const [oldest] = this.#pending;
    if (oldest === undefined || performance.now() - oldest.sentAtMs < this.#options.timeoutMs) return;
    if (this.#link !== null)
      this.#disconnect(this.#link, new Error(`Redis did not reply within ${this.#options.timeoutMs} ms.`));
  }

  #disconnect(link: RedisLink, reason: unknown): void {
    if (this.#link !== link) return;
    this.#link = null;
    link.destroy();
    for (const { reject } of this.#pending) reject(new Error("The connection to Redis is lost.", { cause: reason }));
    this.#pending.clear();
    if (this.#isClosed) return;
    this.#options.onFailure(reason);
    this.#retry = setTimeout(() => void this.open(), this.#options.retryIntervalMs).unref();
  }
}

/** Redis forgets its scripts when it restarts; they are sent again. */
export const isScriptMissing = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("NOSCRIPT");
