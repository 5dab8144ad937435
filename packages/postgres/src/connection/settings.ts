import type { ClientConfig } from "pg";
import { sessionName } from "../session-names.ts";
import { clientConfig, type DatabaseAddress } from "./address.ts";

export interface ConnectionOptions {
  /**
   * The program and its command, such as `shop serve`. The first part of the session's name in pg_stat_activity
   * (session-names.ts).
   */
  applicationName?: string;
  /** The number of the last migration of the program, for the session's name. */
  lastMigration?: number;
  /**
   * PostgreSQL cancels a statement after this time, so that no caller can occupy a connection for long. Absent: no
   * limit.
   */
  statementTimeoutMs?: number;
  /** PostgreSQL cancels a statement that waits longer for a lock. Absent: no limit. */
  lockTimeoutMs?: number;
}

/** For long-running processes: no statement may occupy a connection or wait for a lock for long. */
export const serviceTimeouts = { statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 } as const;

const defaultName = "program";

/**
 * The settings of each connection. Options in the address take precedence. The session's name contains the name in
 * `options` and the name in the address.
 */
export function connectionConfig(address: DatabaseAddress, options: ConnectionOptions = {}): ClientConfig {
  const config = clientConfig(address);
  const { statementTimeoutMs = 0, lockTimeoutMs = 0 } = options;
  return {
    ...config,
    application_name: sessionName(
      options.applicationName ?? defaultName,
      options.lastMigration,
      config.application_name,
    ),
    options: `-c TimeZone=UTC -c statement_timeout=${statementTimeoutMs} -c lock_timeout=${lockTimeoutMs} ${config.options ?? ""}`,
  };
}
