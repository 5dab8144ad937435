import type { ClientConfig } from "pg";
import { clientConfig, type DatabaseAddress } from "./address.ts";

export interface ConnectionOptions {
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** After which PostgreSQL cancels a statement, so that no caller can hold a connection for long. Absent: never. */
  statementTimeoutMs?: number;
  /** After which PostgreSQL fails a statement that waits for a lock. Absent: never. */
  lockTimeoutMs?: number;
}

/** Of the processes that run on and on: nothing of theirs holds or awaits a connection or a lock for long. */
export const serviceTimeouts = { statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 } as const;

const defaultName = "beatmarket";

/** What each connection is opened with. Settings that the address makes itself win over ours. */
export function connectionConfig(address: DatabaseAddress, options: ConnectionOptions = {}): ClientConfig {
  const config = clientConfig(address);
  const { statementTimeoutMs = 0, lockTimeoutMs = 0 } = options;
  return {
    application_name: options.applicationName ?? defaultName,
    ...config,
    options: `-c TimeZone=UTC -c statement_timeout=${statementTimeoutMs} -c lock_timeout=${lockTimeoutMs} ${config.options ?? ""}`,
  };
}
