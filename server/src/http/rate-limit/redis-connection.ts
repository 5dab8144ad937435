import { createClient } from "redis";

const connectTimeoutMs = 1_000;

const newClient = (url: string) =>
  createClient({
    url,
    socket: { reconnectStrategy: false, connectTimeout: connectTimeoutMs },
    disableOfflineQueue: true,
  });
type Client = ReturnType<typeof newClient>;

export interface RedisConnectionOptions {
  url: string;
  /** A command without a reply for this long means that the connection is lost. */
  timeoutMs: number;
  retryIntervalMs: number;
  onConnect(session: RedisSession): void;
  onDisconnect(reason: unknown): void;
}

/** One established connection. */
export interface RedisSession {
  /** Identifies the Redis process. Changes with a restart, which may lose data. */
  readonly runId: string;
  send(command: readonly string[]): Promise<unknown>;
}

/**
 * Keeps a connection to Redis. When it fails, or a command times out, rejects all pending commands at once and reconnects
 * until it succeeds.
 */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  #client: Client | null = null;
  /** Commands without a reply, oldest first. */
  readonly #pending = new Set<{ sentAtMs: number; reject: (reason: Error) => void }>();
  readonly #timeoutCheck: NodeJS.Timeout;
  #retry: NodeJS.Timeout | null = null;
  #isConnected = false;
  #isClosed = false;

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#timeoutCheck = setInterval(() => this.#checkTimeout(), options.timeoutMs / 2).unref();
  }

  /** Resolves after the first attempt. Keeps retrying if it fails. */
  async open(): Promise<void> {
    const client = newClient(this.#options.url);
    this.#client = client;
    client.on("error", (error) => this.#disconnect(client, error));
    // No withTimeout: the connection must be destroyed, which rejects what is awaited below.
    const timeout = setTimeout(
      () => this.#disconnect(client, new Error(`Redis did not accept the connection within ${connectTimeoutMs} ms.`)),
      connectTimeoutMs,
    );
    try {
      await client.connect();
      const runId = /run_id:(\w+)/.exec(String(await client.sendCommand(["INFO", "server"])))?.[1] ?? "";
      if (this.#client !== client) return;
      this.#isConnected = true;
      this.#options.onConnect({ runId, send: (command) => this.#send(client, command) });
    } catch (error) {
      this.#disconnect(client, error);
    } finally {
      clearTimeout(timeout);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timeoutCheck);
    if (this.#retry !== null) clearTimeout(this.#retry);
    const client = this.#client;
    if (client !== null) this.#disconnect(client, new Error("The server is stopping."));
  }

  #send(client: Client, command: readonly string[]): Promise<unknown> {
    if (this.#client !== client) return Promise.reject(new Error("The connection to Redis is lost."));
    return new Promise((resolve, reject) => {
      const pending = { sentAtMs: performance.now(), reject };
      this.#pending.add(pending);
      client
        .sendCommand([...command])
        .then(resolve, reject)
        .finally(() => this.#pending.delete(pending));
    });
  }

  #checkTimeout(): void {
    const [oldest] = this.#pending;
    if (oldest === undefined || performance.now() - oldest.sentAtMs < this.#options.timeoutMs) return;
    if (this.#client !== null)
      this.#disconnect(this.#client, new Error(`Redis did not reply within ${this.#options.timeoutMs} ms.`));
  }

  #disconnect(client: Client, reason: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    const wasConnected = this.#isConnected;
    this.#isConnected = false;
    if (client.isOpen) client.destroy();
    for (const { reject } of this.#pending) reject(new Error("The connection to Redis is lost.", { cause: reason }));
    this.#pending.clear();
    if (this.#isClosed) return;
    if (wasConnected) this.#options.onDisconnect(reason);
    this.#retry = setTimeout(() => void this.open(), this.#options.retryIntervalMs).unref();
  }
}
