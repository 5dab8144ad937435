import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig, QueryResultRow } from "pg";
import { Connection, connectionLost } from "./connection.ts";
import { StatementNames } from "./statement-names.ts";

/** The pause between two attempts to connect, in milliseconds. */
const retryMs = (): number => 100 + Math.random() * 100;

/**
 * One connection that short reads share. Each statement is prepared once, and sent without waiting for earlier
 * responses (pipelining): preparing and waiting are most of the cost of a short read. A slow statement delays all
 * statements after it, so only fast ones may run here.
 *
 * A lost connection rejects the running statements. The next statement opens another connection.
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
   * Runs a statement and returns its rows. Use a limited number of different texts, since each stays prepared. Throws
   * the error of PostgreSQL or of the network, with its `code`.
   */
  async query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const connection = this.#usable ?? (await this.#connect());
    const { rows } = await this.#statements.run<{ rows: Row[] }>(text, (name) =>
      connection.query({ name, text, values }),
    );
    return rows;
  }

  /** Waits up to `timeoutMs` for running statements, then closes the connection. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    const connection = this.#connection;
    if (connection === null) return;
    // Not withTimeout: end() resolves only when the connection is destroyed.
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
