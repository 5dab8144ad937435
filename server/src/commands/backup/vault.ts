import type { Backup } from "@beatmarket/backup/backup-list.ts";
import { openVault, type Vault } from "@beatmarket/backup/vault/vault.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { counted } from "@beatmarket/foundation/text/counted.ts";
import { vaultPlace } from "@beatmarket/storage/places.ts";
import { type Config, readConfig } from "../../config.ts";
import { runCommand, stopSignal } from "../terminal/run.ts";

export interface VaultOptions {
  vault?: string;
  json?: true;
}

export const vaultOption = ["--vault <place>", "the vault, instead of BACKUP_VAULT"] as const;

/**
 * Runs a command's work with the vault that the option or BACKUP_VAULT names. A signal aborts the work, and ends it
 * after `graceMs`.
 */
export const withVault = (
  options: VaultOptions,
  work: (vault: Vault, config: Config, signal: AbortSignal) => Promise<void>,
  /** The time to clean up. Without a limit, a vault that does not respond would block the end forever. */
  graceMs = 0,
): Promise<void> =>
  runCommand(async () => {
    const config = readConfig(process.env);
    const { dataDir, backup } = config;
    const place = options.vault === undefined ? backup.vault : vaultPlace("--vault", options.vault, dataDir);
    if (place === null)
      throw new OperatorError("No vault is named. Set BACKUP_VAULT to a folder or a bucket, or add --vault.");
    const stop = new AbortController();
    void stopSignal().then(() => stop.abort(new OperatorError("Stopped before the end.")));
    // A backup that the service started ends with the service.
    const leave = () => stop.abort(new OperatorError("The service that started this backup has ended."));
    process.once("disconnect", leave);
    try {
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      stop.signal.addEventListener("abort", () => setTimeout(() => reject(stop.signal.reason), graceMs).unref());
      stopped.catch(() => {});
      await Promise.race([openVault(place, backup).then((vault) => work(vault, config, stop.signal)), stopped]);
    } finally {
      process.off("disconnect", leave);
    }
  });

export const segmentsText = (count: number): string => counted(count, "segment of the log", "segments of the log");

export const filesText = (count: number): string => counted(count, "file of producers", "files of producers");

/** A backup in the output of commands. */
export function backupJson({ id, started_at, ended_at, database, objects }: Backup) {
  return {
    id,
    started_at,
    ended_at,
    database:
      database === null
        ? null
        : {
            cluster: database.cluster,
            postgres_major: database.postgres_major,
            timeline: database.timeline,
            files: database.files.length,
            bytes: database.files.reduce((sum, { bytes }) => sum + bytes, 0),
          },
    objects,
  };
}
