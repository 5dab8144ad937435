import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import {
  type ConnectOptions,
  connect as connectTo,
  type Database as DatabaseOf,
  type Queryable as QueryableOf,
  type ReadServer as ReadServerOf,
} from "@beatmarket/postgres/connection/connect.ts";
import { lastMigration, migrations } from "./migrations.ts";
import type { Tables } from "./tables.ts";

/** Executes statements: the pool, one of its connections, or a transaction. */
export type Queryable = QueryableOf<Tables>;
/** A server for read-only statements. */
export type ReadServer = ReadServerOf<Tables>;
export type Database = DatabaseOf<Tables>;

/** Opens a pool, a reader and a listener. The names of their sessions include the program's last migration. */
export const connect = (address: DatabaseAddress, options: Omit<ConnectOptions, "lastMigration"> = {}): Database =>
  connectTo<Tables>(address, { applicationName: migrations.program, ...options, lastMigration });

/** The name of the sessions on a replica. */
export const replicaSession = { applicationName: `${migrations.program} reads`, lastMigration };
