import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { Queryable } from "./connect.ts";
import type { Reader } from "./reader.ts";

/**
 * Statements on the reader's connection, for functions that take a Queryable. The rules of the reader apply: short
 * reads whose SQL text does not vary. It has no transactions.
 */
// biome-ignore lint/suspicious/noExplicitAny: without the tables of a program, statements are SQL text.
export function shortReads<Tables = any>(reader: Pick<Reader, "query">): Queryable<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createDriver: () => new ReaderDriver(reader),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
    },
  });
}

class ReaderDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(reader: Pick<Reader, "query">) {
    this.#connection = {
      executeQuery: async <Row>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
        ({ rows: await reader.query(sql, [...parameters]) }) as QueryResult<Row>,
      streamQuery: () => {
        throw new Error("The reader has no cursors.");
      },
    };
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  beginTransaction(): Promise<void> {
    return Promise.reject(new Error("The reader has no transactions."));
  }

  async init(): Promise<void> {}
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  /** The function that opened the reader closes it. */
  async destroy(): Promise<void> {}
}
