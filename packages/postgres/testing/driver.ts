import { CompiledQuery, Kysely, PostgresDialect, type RawBuilder, sql } from "kysely";
import { clientConfig, type DatabaseAddress } from "../src/connection/address.ts";
import { type ConnectOptions, connect, type Database, type Queryable } from "../src/connection/connect.ts";
import { ConnectionPool } from "../src/connection/pool.ts";

/** Statements as tests write them: SQL with parameters in it, which resolves to the rows. */
export interface Driver {
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads it compares, or it names the type.
  <Rows extends readonly object[] = any[]>(text: TemplateStringsArray, ...values: unknown[]): Promise<Rows>;
  /** A name of a table or column, for use within a statement. */
  (name: string): RawBuilder<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  unsafe<Rows extends readonly object[] = any[]>(text: string, parameters?: readonly unknown[]): Promise<Rows>;
  /** Runs `work` in a transaction. */
  begin<T>(work: (transaction: Driver) => Promise<T>): Promise<T>;
  /** What the statements run on. */
  readonly db: Queryable;
}

// biome-ignore lint/suspicious/noExplicitAny: a program has its tables.
export interface TestDatabase<Tables = any> extends Database<Tables> {
  /** In a test file as superuser, whichever role the code under test has. */
  readonly driver: Driver;
  /** A query builder on a connection of its own, which calls `log` with each statement it has run. */
  logged(log: (statement: CompiledQuery) => void): Queryable<Tables>;
}

/** As `connect`, with statements for tests, which may be of another user. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export function connectForTest<Tables = any>(
  address: DatabaseAddress,
  options?: ConnectOptions,
  driverAddress: DatabaseAddress = address,
): TestDatabase<Tables> {
  const database = connect<Tables>(address, options);
  const driven = driverAddress === address ? database : connect(driverAddress, options);
  const pools: ConnectionPool[] = [];
  return {
    ...database,
    driver: driverOn(driven.query),
    logged: (log) => {
      const pool = new ConnectionPool({ ...clientConfig(address), max: 1 });
      pools.push(pool);
      return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => log(query) });
    },
    close: async (timeoutMs) => {
      await Promise.all(pools.map((pool) => pool.close(0)));
      await Promise.all([database.close(timeoutMs), driven === database || driven.close(timeoutMs)]);
    },
  };
}

/** The driver of a pool, a connection or a transaction. */
export function driverOn(db: Queryable): Driver {
  const run = (text: TemplateStringsArray | string, ...values: unknown[]) =>
    typeof text === "string"
      ? sql.id(text)
      : sql(text, ...values)
          .execute(db)
          .then(({ rows }) => rows);
  return Object.assign(run, {
    unsafe: async (text: string, parameters: readonly unknown[] = []) =>
      (await db.executeQuery(CompiledQuery.raw(text, [...parameters]))).rows,
    begin: <T>(work: (transaction: Driver) => Promise<T>) =>
      db.transaction().execute((transaction) => work(driverOn(transaction))),
    db,
  }) as Driver;
}
