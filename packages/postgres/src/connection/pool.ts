import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import { Pool, type PoolClient, type PoolConfig } from "pg";
import { Connection, connectionLost } from "./connection.ts";
import { StatementNames } from "./statement-names.ts";

/** Connections are replaced after an hour, since PostgreSQL's memory of a connection only grows. */
const maxLifetimeSeconds = 3_600;

/**
 * pg's pool, which prepares each statement once for each connection, and can be closed whatever its connections are doing.
 * It opens a connection when one is needed.
 */
export class ConnectionPool extends Pool {
  readonly #connections: Set<Connection>;
  readonly #waiting = new Set<(error: Error) => void>();
  #closing: Promise<void> | null = null;

  constructor(config: PoolConfig) {
    const connections = new Set<Connection>();
    const statements = new StatementNames();
    class PooledConnection extends Connection {
      constructor(its: PoolConfig = {}) {
        super(its);
        connections.add(this);
        this.once("end", () => connections.delete(this));
      }

      // biome-ignore lint/suspicious/noExplicitAny: it has the overloads of Client.query.
      override query(text: any, values?: any, callback?: any): any {
        // Without parameters a text may hold several statements, which cannot be prepared.
        if (typeof text !== "string" || !Array.isArray(values) || values.length === 0 || callback !== undefined)
          return super.query(text, values, callback);
        return statements.run(text, (name) => super.query({ name, text, values }));
      }
    }
    super({ ...config, Client: PooledConnection, idleTimeoutMillis: 0, maxLifetimeSeconds });
    this.#connections = connections;
    // An idle connection that is lost is replaced; nobody waits for it.
    this.on("error", () => {});
  }

  // biome-ignore lint/suspicious/noExplicitAny: it has the overloads of Pool.connect.
  override connect(callback?: any): any {
    if (callback !== undefined) return super.connect(callback);
    if (this.ending) return Promise.reject(closed());
    return new Promise<PoolClient>((resolve, reject) => {
      this.#waiting.add(reject);
      super.connect().then(
        (client) => {
          if (this.#waiting.delete(reject)) resolve(client);
          else client.release();
        },
        (error) => {
          this.#waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  /** Rejects the statements that wait for a connection. Those under way may finish within `timeoutMs`. */
  close(timeoutMs: number): Promise<void> {
    this.#closing ??= this.#close(timeoutMs);
    return this.#closing;
  }

  async #close(timeoutMs: number): Promise<void> {
    const ended = this.end();
    for (const reject of this.#waiting) reject(closed());
    this.#waiting.clear();
    await withTimeout(ended, timeoutMs, closed).catch(() => {});
    for (const connection of this.#connections) connection.destroy();
  }
}

const closed = (): Error => connectionLost(new Error("The pool is closed."));
