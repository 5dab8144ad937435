import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import type { ConnectOptions } from "@beatmarket/postgres/connection/connect.ts";
import {
  connectForTest as connectTo,
  type TestDatabase as TestDatabaseOf,
} from "@beatmarket/postgres/testing/driver.ts";
import { lastMigration } from "../../../src/database/connect.ts";
import type { Tables } from "../../../src/database/tables.ts";

export type TestDatabase = TestDatabaseOf<Tables>;

/** Like `connect`, but adds `driver` for a test's own statements. `driverAddress` may name another user for them. */
export const connectForTest = (
  address: DatabaseAddress,
  options: ConnectOptions = {},
  driverAddress?: DatabaseAddress,
): TestDatabase =>
  connectTo<Tables>(address, { applicationName: "beatmarket", lastMigration, ...options }, driverAddress);
