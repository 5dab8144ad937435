import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig, QueryResultRow } from "pg";
import { Connection, connectionLost } from "./connection.ts";
import { StatementNames } from "./statement-names.ts";

/** The pause between two attempts to connect, in milliseconds. */
const retryMs = (): number => 100 + Math.random() * 100;

/**
 * One connection that short reads share. Each statement is prepared once and sent without waiting for the responses to
 * those before it (pipelining), which is most of what a short read costs. A statement waits for a slow one ahead of it,
 * so no slow one may run here.
 *
 * A lost connection rejects the statements under way; the next statement opens another one.
 */
export class Reader {
  readonly #config: ClientConfig;
  readonly #statements = new StatementNames();
  #connection: Connection | null = null;
  #connecting: Promise<Connection> | null = null;
  #nextAttemptMs = 0;
  #isClosed = false;

  constructor(config: ClientConfig) {
    this.#config = { ...config, pipeline: true };
  }

  /**
   * The rows of a statement. Its text must be one of a fixed number, since each stays prepared. Throws what PostgreSQL
   * or the network reports, with its `code`.
   */
  async query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const connection = this.#usable ?? (await this.#connect());
    const { rows } = await this.#statements.run<{ rows: Row[] }>(text, (name) =>
      connection.query({ name, text, values }),
    );
    return rows;
  }

  /** Lets statements under way finish for `timeoutMs`. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    const connection = this.#connection;
    if (connection === null) return;
    // No withTimeout: destroying the connection is what lets end() resolve.
    const timer = setTimeout(() => connection.destroy(), timeoutMs);
    await connection.end();
    clearTimeout(timer);
  }

  get #usable(): Connection | null {
    return this.#connecting === null && this.#connection?.isLost === false && !this.#isClosed ? this.#connection : null;
  }

  #connect(): Promise<Connection> {
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #open(): Promise<Connection> {
    await sleep(Math.max(0, this.#nextAttemptMs - performance.now()));
    if (this.#isClosed) throw connectionLost(new Error("The reader is closed."));
    const connection = new Connection(this.#config);
    this.#connection = connection;
    try {
      await connection.connect();
      return connection;
    } catch (error) {
      this.#nextAttemptMs = performance.now() + retryMs();
      throw error;
    }
  }
}
