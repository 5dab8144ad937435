import { createBackup } from "@beatmarket/backup/base/create-backup.ts";
import { DataDirFiles } from "@beatmarket/backup/data-dir-files.ts";
import { openBackup, requireOwnLog, startArchiving, stopArchiving } from "@beatmarket/backup/open-backup.ts";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { formatBytes } from "@beatmarket/foundation/text/bytes.ts";
import { counted, thousands } from "@beatmarket/foundation/text/counted.ts";
import { requireStorage } from "@beatmarket/storage/claim-storage.ts";
import { openStorage } from "@beatmarket/storage/open-storage.ts";
import type { Command } from "commander";
import { openDatabase } from "../../database/open.ts";
import { licenseLogFolder } from "../../resources/licenses/log/license-log.ts";
import { progressBar } from "../terminal/progress-bar.ts";
import { printResult } from "../terminal/run.ts";
import { backupJson, filesText, type VaultOptions, vaultOption, withVault } from "./vault.ts";

/** The time limit for ending the backup in PostgreSQL. */
const stopGraceMs = 10_000;

export function createCommand(backup: Command): void {
  backup
    .command("create")
    .description("Make a base backup now, with or without a running service.")
    .option(...vaultOption)
    .option("--new-vault", "begin a new vault, because the one that the database knows is lost permanently")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
The command needs the same DATA_DIR, DATABASE_URL and STORAGE_URL as the service.
If DATABASE_URL is set, it copies only the files of producers.
Back up the database with its own tools first.

A backup that was stopped or failed does not count, and changes no other backup.

Exit status: 0 when the backup is complete, even if the storage lacks files, whose number it prints; 1 otherwise.`,
    )
    .action((options: VaultOptions & { newVault?: true }) =>
      withVault(
        options,
        async (vault, config, signal) => {
          const database = await openDatabase(config, {
            log: (text) => process.stderr.write(`${text}\n`),
            applicationName: "beatmarket backup",
            mustExist: true,
          });
          try {
            await requireStorage(database.query, await openStorage(config.storage));
            // A set, because a missing object is reported again for each segment of the log that is shipped meanwhile.
            const missing = new Set<string>();
            await requireOwnLog(database, config.dataDir, vault);
            const parts = await openBackup({
              database,
              storage: config.storage,
              logFolder: licenseLogFolder,
              vault,
              mayBegin: options.newVault === true,
              onFault: (sha256) => missing.add(sha256),
            });
            const { cluster } = parts;
            // A service with BACKUP_VAULT archives all the time. Otherwise archiving ends with the backup, because
            // nothing would remove the segments.
            const wasArchiving = cluster === null || (await startArchiving(cluster, vault));
            const bar = progressBar<{ copied: string }>("{bar} {percentage}% | {copied} | {eta_formatted} left", 100, {
              copied: "0 B",
            });
            try {
              const backup = await createBackup(
                {
                  vault,
                  db: database.query,
                  copier: parts.copier,
                  files: new DataDirFiles(vault, config.dataDir),
                  clock: systemClock,
                  cluster,
                },
                {
                  signal,
                  onProgress: (completed, total) =>
                    bar.show(Math.floor((completed / Math.max(1, total)) * 100), { copied: formatBytes(completed) }),
                },
              );
              const logFault = await parts.transparencyLog.ship();
              bar.end();
              const copied =
                backup.database === null
                  ? "without the database of DATABASE_URL, which you back up with its own tools"
                  : `${counted(backup.database.files.length, "file")} of the database`;
              printResult(
                options.json,
                { place: vault.place, backup: backupJson(backup), missing_files: [...missing], log_fault: logFault },
                `Made backup ${backup.id} in ${vault.place}: ${copied}, ${filesText(backup.objects)}.${
                  missing.size === 0
                    ? ""
                    : `\n${thousands(missing.size)} of these ${missing.size === 1 ? "is" : "are"} missing or damaged in the storage. \`beatmarket storage verify\` lists them.`
                }${logFault === null ? "" : `\nThe license log is not in the backup: ${logFault}`}`,
              );
            } finally {
              bar.end();
              await parts.close();
              if (!wasArchiving && config.backup.vault === null && database.embedded !== null)
                await stopArchiving(database.embedded);
            }
          } finally {
            await database.close();
          }
        },
        stopGraceMs,
      ),
    );
}
