import { archiveCommand } from "./archive-command.ts";

const megabyte = 1024 * 1024;

/**
 * How the embedded server is tuned, as PostgreSQL settings; `memoryBytes` is what the machine or container has.
 * Given at each start rather than written into the cluster, so that an old cluster gets what a new release brings.
 */
export function serverSettings(memoryBytes: number): Record<string, string> {
  const share = (part: number, least: number, most: number): string =>
    `${Math.round(Math.min(Math.max((memoryBytes * part) / megabyte, least), most))}MB`;
  return {
    shared_buffers: share(1 / 8, 64, 2048), // up to what a million beats with their indexes take
    effective_cache_size: share(1 / 2, 256, 16_384),
    maintenance_work_mem: share(1 / 32, 64, 512),
    work_mem: "16MB",
    max_connections: "100",
    random_page_cost: "1.1",
    jit: "off", // compiling costs more than these short queries
    max_wal_size: "4GB", // an import of a million rows without a checkpoint every few seconds
    min_wal_size: "256MB",
    checkpoint_timeout: "15min",
    archive_mode: "on", // changes at a start only, so whether anything is archived is up to the command
    archive_command: archiveCommand,
    log_checkpoints: "off",
    log_timezone: "UTC",
    timezone: "UTC",
    logging_collector: "off",
    listen_addresses: "",
    unix_socket_permissions: "0700",
  };
}
