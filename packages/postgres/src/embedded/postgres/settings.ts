import { archiveCommand } from "./archive-command.ts";

const megabyte = 1024 * 1024;

/**
 * The PostgreSQL settings of the embedded server. `memoryBytes` is the memory of the machine or container. The settings
 * are passed at each start and not stored in the cluster, so that an old cluster gets the settings of a new release.
 */
export function serverSettings(memoryBytes: number): Record<string, string> {
  const share = (part: number, min: number, max: number): string =>
    `${Math.round(Math.min(Math.max((memoryBytes * part) / megabyte, min), max))}MB`;
  return {
    shared_buffers: share(1 / 8, 64, 2048), // the maximum holds a million beats with their indexes
    effective_cache_size: share(1 / 2, 256, 16_384),
    maintenance_work_mem: share(1 / 32, 64, 512),
    work_mem: "16MB",
    max_connections: "300", // for the threads of `serve` and the sandboxes in use, each with a separate pool
    random_page_cost: "1.1",
    jit: "off", // compiling takes longer than these short queries run
    max_wal_size: "4GB", // or an import of a million rows would cause a checkpoint every few seconds
    min_wal_size: "256MB",
    checkpoint_timeout: "15min",
    archive_mode: "on", // cannot change while the server runs, so the command decides whether to archive
    archive_command: archiveCommand,
    log_checkpoints: "off",
    log_timezone: "UTC",
    timezone: "UTC",
    logging_collector: "off",
    listen_addresses: "",
    unix_socket_permissions: "0700",
  };
}
