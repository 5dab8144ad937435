import { createClient } from "redis";

const connectPatienceMs = 1_000;

const newClient = (url: string) =>
  createClient({
    url,
    socket: { reconnectStrategy: false, connectTimeout: connectPatienceMs },
    disableOfflineQueue: true,
  });
type Client = ReturnType<typeof newClient>;

export interface RedisConnectionOptions {
  url: string;
  /** How long Redis may take for an answer before it counts as gone. */
  patienceMs: number;
  retryEveryMs: number;
  /** Called with each new connection, once Redis has answered on it. */
  onUp(connection: RedisSession): void;
  onDown(reason: unknown): void;
}

/** One connection, and which run of which Redis is at its other end. */
export interface RedisSession {
  /** Changes when Redis is restarted or replaced: what it held before may be lost. */
  readonly runId: string;
  send(command: readonly string[]): Promise<unknown>;
}

/**
 * Keeps a connection to Redis. One that is refused, lost, or silent for longer than `patienceMs` is given up at once,
 * with everything that waits for an answer, and tried again until it stands.
 */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  #client: Client | null = null;
  /** Starts of the commands that wait for an answer, oldest first. */
  readonly #waitingSinceMs = new Set<{ sinceMs: number; giveUp: (reason: Error) => void }>();
  readonly #watch: NodeJS.Timeout;
  #retry: NodeJS.Timeout | null = null;
  #isUp = false;
  #isClosed = false;

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#watch = setInterval(() => this.#lookForSilence(), options.patienceMs / 2).unref();
  }

  /** Tries once to connect, and goes on trying by itself if that fails. */
  async open(): Promise<void> {
    const client = newClient(this.#options.url);
    this.#client = client;
    client.on("error", (error) => this.#giveUp(client, error));
    const tooLong = setTimeout(
      () => this.#giveUp(client, new Error(`Redis did not answer within ${connectPatienceMs} ms.`)),
      connectPatienceMs,
    );
    try {
      await client.connect();
      const runId = /run_id:(\w+)/.exec(String(await client.sendCommand(["INFO", "server"])))?.[1] ?? "";
      if (this.#client !== client) return;
      this.#isUp = true;
      this.#options.onUp({ runId, send: (command) => this.#send(client, command) });
    } catch (error) {
      this.#giveUp(client, error);
    } finally {
      clearTimeout(tooLong);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#watch);
    if (this.#retry !== null) clearTimeout(this.#retry);
    const client = this.#client;
    if (client !== null) this.#giveUp(client, new Error("The server stops."));
  }

  #send(client: Client, command: readonly string[]): Promise<unknown> {
    if (this.#client !== client) return Promise.reject(new Error("The connection to Redis is gone."));
    return new Promise((settle, fail) => {
      const waiting = { sinceMs: performance.now(), giveUp: fail };
      this.#waitingSinceMs.add(waiting);
      client
        .sendCommand([...command])
        .then(settle, fail)
        .finally(() => this.#waitingSinceMs.delete(waiting));
    });
  }

  #lookForSilence(): void {
    const [oldest] = this.#waitingSinceMs;
    if (oldest === undefined || performance.now() - oldest.sinceMs < this.#options.patienceMs) return;
    if (this.#client !== null)
      this.#giveUp(this.#client, new Error(`Redis has not answered for ${this.#options.patienceMs} ms.`));
  }

  #giveUp(client: Client, reason: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    const wasUp = this.#isUp;
    this.#isUp = false;
    if (client.isOpen) client.destroy();
    for (const { giveUp } of this.#waitingSinceMs)
      giveUp(new Error("The connection to Redis is gone.", { cause: reason }));
    this.#waitingSinceMs.clear();
    if (this.#isClosed) return;
    if (wasUp) this.#options.onDown(reason);
    this.#retry = setTimeout(() => void this.open(), this.#options.retryEveryMs).unref();
  }
}
