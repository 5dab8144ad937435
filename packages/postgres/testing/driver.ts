import { CompiledQuery, Kysely, PostgresDialect, type RawBuilder, sql } from "kysely";
import { clientConfig, type DatabaseAddress } from "../src/connection/address.ts";
import { type ConnectOptions, connect, type Database, type Queryable } from "../src/connection/connect.ts";
import { ConnectionPool } from "../src/connection/pool.ts";

/** Runs SQL templates with parameters, for tests. Resolves to the rows. */
export interface Driver {
  // biome-ignore lint/suspicious/noExplicitAny: a test compares the rows, or names their type.
  <Rows extends readonly object[] = any[]>(text: TemplateStringsArray, ...values: unknown[]): Promise<Rows>;
  /** A name of a table or column, for use within a statement. */
  (name: string): RawBuilder<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  unsafe<Rows extends readonly object[] = any[]>(text: string, parameters?: readonly unknown[]): Promise<Rows>;
  /** Runs `work` in a transaction. */
  begin<T>(work: (transaction: Driver) => Promise<T>): Promise<T>;
  /** The pool, connection or transaction of the driver. */
  readonly db: Queryable;
}

// biome-ignore lint/suspicious/noExplicitAny: the tables belong to the program.
export interface TestDatabase<Tables = any> extends Database<Tables> {
  /** In a test file, runs as superuser, whatever the role of the code under test. */
  readonly driver: Driver;
  /**
   * A query builder on a separate connection. Calls `log` with each statement after it has run, and continues when the
   * promise that it returns resolves.
   */
  withStatementLog(log: (statement: CompiledQuery) => unknown): Queryable<Tables>;
}

/** Like `connect`, and also returns a driver, which may use another address, for example with another role. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
export function connectForTest<Tables = any>(
  address: DatabaseAddress,
  options?: ConnectOptions,
  driverAddress: DatabaseAddress = address,
): TestDatabase<Tables> {
  const database = connect<Tables>(address, options);
  const driverDatabase = driverAddress === address ? database : connect(driverAddress, options);
  const pools: ConnectionPool[] = [];
  return {
    ...database,
    driver: driverOn(driverDatabase.query),
    withStatementLog: (log) => {
      const pool = new ConnectionPool({ ...clientConfig(address), max: 1 });
      pools.push(pool);
      return new Kysely<Tables>({
        dialect: new PostgresDialect({ pool }),
        log: async ({ query }) => void (await log(query)),
      });
    },
    close: async (timeoutMs) => {
      await Promise.all(pools.map((pool) => pool.close(0)));
      await Promise.all([database.close(timeoutMs), driverDatabase === database || driverDatabase.close(timeoutMs)]);
    },
  };
}

/** Creates a driver for a pool, a connection or a transaction. */
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
