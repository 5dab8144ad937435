import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import { Pool, type PoolClient, type PoolConfig } from "pg";
import { Connection, connectionLost } from "./connection.ts";
import { StatementNames } from "./statement-names.ts";

/** Connections are replaced after an hour, since the memory of a PostgreSQL backend only grows. */
const maxLifetimeSeconds = 3_600;

/**
 * pg's pool. Prepares each statement once per connection. Can be closed while statements are running. Opens connections
 * on demand.
 */
export class ConnectionPool extends Pool {
  readonly #connections: Set<Connection>;
  readonly #waiting = new Set<(error: Error) => void>();
  #closing: Promise<void> | null = null;

  constructor(config: PoolConfig) {
    const connections = new Set<Connection>();
    const statements = new StatementNames();
    class PooledConnection extends Connection {
      constructor(connectionConfig: PoolConfig = {}) {
        super(connectionConfig);
        connections.add(this);
        this.once("end", () => connections.delete(this));
      }

      // biome-ignore lint/suspicious/noExplicitAny: overrides the overloads of Client.query.
      override query(text: any, values?: any, callback?: any): any {
        // A text without parameters may contain several statements, which cannot be prepared together.
        if (typeof text !== "string" || !Array.isArray(values) || values.length === 0 || callback !== undefined)
          return super.query(text, values, callback);
        return statements.run(text, (name) => super.query({ name, text, values }));
      }
    }
    super({ ...config, Client: PooledConnection, idleTimeoutMillis: 0, maxLifetimeSeconds });
    this.#connections = connections;
    // A lost idle connection is replaced. No statement is affected.
    this.on("error", () => {});
  }

  // biome-ignore lint/suspicious/noExplicitAny: overrides the overloads of Pool.connect.
  override connect(callback?: any): any {
    if (callback !== undefined) return super.connect(callback);
    if (this.ending) return Promise.reject(poolClosed());
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

  /**
   * Rejects statements that wait for a connection. Waits up to `timeoutMs` for running statements, then closes their
   * connections.
   */
  close(timeoutMs: number): Promise<void> {
    this.#closing ??= this.#close(timeoutMs);
    return this.#closing;
  }

  async #close(timeoutMs: number): Promise<void> {
    const poolEnd = this.end();
    for (const reject of this.#waiting) reject(poolClosed());
    this.#waiting.clear();
    await withTimeout(poolEnd, timeoutMs, poolClosed).catch(() => {});
    for (const connection of this.#connections) connection.destroy();
  }
}

const poolClosed = (): Error => connectionLost(new Error("The pool is closed."));
