import type { ClientConfig } from "pg";
import { sessionName } from "../session-names.ts";
import { clientConfig, type DatabaseAddress } from "./address.ts";

export interface ConnectionOptions {
  /** Begins the name of the session in pg_stat_activity (session-names.ts), such as `shop serve`: the program, then what it does. */
  applicationName?: string;
  /** The number of the last migration that the program knows, which stands in the session's name. Absent: none stands there. */
  knownMigrations?: number;
  /** After which PostgreSQL cancels a statement, so that no caller can hold a connection for long. Absent: never. */
  statementTimeoutMs?: number;
  /** After which PostgreSQL fails a statement that waits for a lock. Absent: never. */
  lockTimeoutMs?: number;
}

/** Of the processes that run on and on: nothing of theirs holds or awaits a connection or a lock for long. */
export const serviceTimeouts = { statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 } as const;

const defaultName = "program";

/** What each connection is opened with. Settings that the address makes itself win over ours; the session's name gets both. */
export function connectionConfig(address: DatabaseAddress, options: ConnectionOptions = {}): ClientConfig {
  const config = clientConfig(address);
  const { statementTimeoutMs = 0, lockTimeoutMs = 0 } = options;
  return {
    ...config,
    application_name: sessionName(
      options.applicationName ?? defaultName,
      options.knownMigrations,
      config.application_name,
    ),
    options: `-c TimeZone=UTC -c statement_timeout=${statementTimeoutMs} -c lock_timeout=${lockTimeoutMs} ${config.options ?? ""}`,
  };
}
