import type { RedisAddress } from "./redis-address.ts";
import { RedisLink } from "./redis-link.ts";

/** Multiples of a command's timeout. Looking up the master, or the masters of a cluster, takes several connections. */
const openingTimeouts = { server: 4, cluster: 8, sentinel: 8 };

export interface RedisConnectionOptions {
  address: RedisAddress;
  /** If a command has no reply for this long, the connection counts as lost. */
  timeoutMs: number;
  retryIntervalMs: number;
  onConnect(session: RedisSession): void;
  /** Called for each failed attempt to connect, and when the connection is lost or dropped. */
  onFailure(reason: unknown): void;
}

/** One established connection. */
export interface RedisSession {
  /** Identifies the Redis process that stores the bucket. Changes with a restart or a failover, which may lose data. */
  runOf(bucket: number): string;
  keyOf(bucket: number): string;
  /** One bucket of each server, for checks of all servers. */
  readonly probeBuckets: readonly number[];
  /** Sends a command whose only key is the bucket's key. */
  send(bucket: number, command: readonly string[]): Promise<unknown>;
}

/**
 * Maintains a connection to Redis. If the connection fails, or a command times out or gets an error reply other than
 * NOSCRIPT, rejects all pending commands immediately and retries the connection until it succeeds.
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

  /** Resolves after the first attempt. Retries after a failure. */
  async open(): Promise<void> {
    const { address, timeoutMs } = this.#options;
    const connectTimeoutMs = timeoutMs * openingTimeouts.server;
    const link: RedisLink = new RedisLink(address, connectTimeoutMs, (error) => this.#disconnect(link, error));
    this.#link = link;
    const openTimeoutMs = timeoutMs * openingTimeouts[address.kind];
    // Does not use withTimeout: the connection must be destroyed, which rejects the promises below.
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
        probeBuckets: link.probeBuckets,
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

  /** Ends the connection, as an error reply does, and opens a new connection. */
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

/** Whether the error means that Redis does not know the script. A restart deletes all scripts. */
export const isScriptMissing = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith("NOSCRIPT");
