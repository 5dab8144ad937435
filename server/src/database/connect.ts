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

/** What a statement runs on: the pool, one connection of it, or one transaction. */
export type Queryable = QueryableOf<Tables>;
/** Where statements that only read may run. */
export type ReadServer = ReadServerOf<Tables>;
export type Database = DatabaseOf<Tables>;

/** Opens a pool, a reader and a listener, whose sessions say which migrations the program knows. */
export const connect = (address: DatabaseAddress, options: Omit<ConnectOptions, "lastMigration"> = {}): Database =>
  connectTo<Tables>(address, { applicationName: migrations.program, ...options, lastMigration });
