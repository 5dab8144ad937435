import {
  type Backup,
  type BackupList,
  isOnNewestTimeline,
  isUnbroken,
  readBackupList,
} from "@beatmarket/backup/backup-list.ts";
import { prune } from "@beatmarket/backup/prune.ts";
import { chooseBackup, type Range, restorable } from "@beatmarket/backup/restore/choose-backup.ts";
import { verifyVault } from "@beatmarket/backup/verify.ts";
import { formatBytes } from "@beatmarket/foundation/text/bytes.ts";
import { counted, thousands } from "@beatmarket/foundation/text/counted.ts";
import type { Command } from "commander";
import { parseDuration, reading } from "../terminal/arguments.ts";
import { tableText, wholeSecondsUtc } from "../terminal/output.ts";
import { progressBar } from "../terminal/progress-bar.ts";
import { printResult } from "../terminal/run.ts";
import { createCommand } from "./create.ts";
import { restoreCommand } from "./restore.ts";
import { backupJson, filesText, segmentsText, type VaultOptions, vaultOption, withVault } from "./vault.ts";

const withoutKey =
  "whether someone else wrote these files. The vault has no BACKUP_KEY, and a checksum only detects damage: everyone who can write to the vault can change what a restore writes.";

function verifyCommand(backup: Command): void {
  backup
    .command("verify")
    .description("Read every file of a vault, and compare it with its checksum.")
    .option(...vaultOption)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
The command changes nothing, and lists every missing or damaged file. If it lists any, make a new backup (beatmarket backup
create), which copies missing files of producers again. A vault without a backup counts as a fault, because nothing can be
restored from it.

Exit status: 0 without a fault, 1 when a file is missing or damaged or the vault cannot be read.`,
    )
    .action((options: VaultOptions) =>
      withVault(options, async (vault, _config, signal) => {
        const source = await vault.require();
        let total = 0;
        for await (const _ of vault.list("")) total++;
        const bar = progressBar<{ findings: string }>("{bar} {value} of {total} | {findings} faults", total, {
          findings: "0",
        });
        try {
          const { findings, ...counts } = await verifyVault(vault, {
            source,
            now: new Date(),
            signal,
            onProgress: (progress) => bar.show(progress.files, { findings: thousands(progress.findings) }),
          });
          bar.end();
          const totals = `${counted(counts.backups, "backup")}, ${segmentsText(counts.segments)} and ${filesText(counts.objects)} in ${vault.place}`;
          const unchecked = vault.isEncrypted ? [] : [withoutKey];
          const rows = findings.map(({ file, fault }) => [file, fault]);
          printResult(
            options.json,
            { place: vault.place, is_encrypted: vault.isEncrypted, ...counts, unchecked, findings },
            findings.length === 0
              ? `All is well: ${totals}.${unchecked.map((name) => `\nNot checked: ${name}`).join("")}`
              : `${tableText([["FILE", "FAULT"], ...rows])}\n\n${counted(findings.length, "fault")} among ${totals}.`,
          );
          if (findings.length > 0) process.exitCode = 1;
        } finally {
          bar.end();
        }
      }),
    );
}

const dayMs = 86_400_000;

function pruneCommand(backup: Command): void {
  backup
    .command("prune")
    .description("Delete the backups, log segments and files that are older than the period to keep.")
    .option(...vaultOption)
    .option("--keep <duration>", "the period to keep (default: BACKUP_KEEP_DAYS, 7 days)", reading(parseDuration))
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nEvery moment within the period stays restorable. The newest backup is never deleted.\n\nExit status: 0 when the command has succeeded, even if there was nothing to delete; 1 otherwise.",
    )
    .action((options: VaultOptions & { keep?: number }) =>
      withVault(options, async (vault, config) => {
        await vault.require();
        const now = new Date();
        const keepMs = options.keep ?? config.backup.keepDays * dayMs;
        const pruned = await prune(vault, new Date(now.getTime() - keepMs), now);
        const { backups, segments, objects } = pruned;
        printResult(
          options.json,
          { place: vault.place, ...pruned },
          backups.length + segments + objects === 0
            ? `Nothing to delete in ${vault.place}.`
            : `Deleted ${counted(backups.length, "backup")}, ${segmentsText(segments)} and ${filesText(objects)} from ${vault.place}.`,
        );
      }),
    );
}

function listCommand(backup: Command): void {
  backup
    .command("list")
    .description("List the backups of a vault, and the moments that can be restored.")
    .option(...vaultOption)
    .option("--json", "print JSON")
    .addHelpText("after", "\nExit status: 0 when the vault was read, even if the list names damage; 1 otherwise.")
    .action((options: VaultOptions) =>
      withVault(options, async (vault) => {
        await vault.require();
        const backupList = await readBackupList(vault);
        const ranges = restorable(backupList);
        const segments = [...backupList.logs.values()].reduce((sum, log) => sum + log.segments.size, 0);
        const value = {
          place: vault.place,
          is_encrypted: vault.isEncrypted,
          backups: backupList.backups.map((backup) => ({
            ...backupJson(backup),
            reaches_to: reach(backupList, backup),
          })),
          restorable: ranges,
          segments,
          damaged: backupList.damaged.map(({ file, fault }) => ({ file, fault })),
        };
        printResult(options.json, value, textOf(backupList, ranges, segments, vault.place));
      }),
    );
}

/** How far the log can be replayed from a backup (`reaches`); null for a backup without a database. */
function reach(backupList: BackupList, backup: Backup): "now" | "upgrade" | "gap" | "past" | null {
  if (backup.database === null) return null;
  if (!isOnNewestTimeline(backupList, backup)) return "past";
  if (!isUnbroken(backupList, backup)) return "gap";
  return chooseBackup(backupList, null, "").database?.cluster === backup.database.cluster ? "now" : "upgrade";
}

const reaches = {
  now: "to the end of the archive",
  upgrade: "to an upgrade of PostgreSQL",
  gap: "to a gap in the log",
  past: "to a restore of an earlier moment",
} as const;

function textOf(backupList: BackupList, ranges: readonly Range[], segments: number, place: string): string {
  const damage = backupList.damaged.map(({ message }) => `\n${message} beatmarket backup verify lists all damage.`);
  if (backupList.backups.length === 0) return `No backups in ${place}.${damage.join("")}`;
  const rows = backupList.backups.map((backup) => {
    const { database, objects } = backupJson(backup);
    const how = reach(backupList, backup);
    return [
      backup.id,
      wholeSecondsUtc(new Date(backup.ended_at)) ?? "",
      database === null ? "not in it" : `${formatBytes(database.bytes)}, PostgreSQL ${database.postgres_major}`,
      thousands(objects),
      how === null ? "" : reaches[how],
    ];
  });
  const table = tableText([["BACKUP", "FROM", "DATABASE", "FILES", "REACHES"], ...rows]);
  const moments = ranges.map(({ from, to, gap_after }) => {
    if (gap_after !== null)
      return `\nRestorable: ${from} to ${to}, and further to ${gap_after}. The log has a gap after that: no moment between the gap and the next base backup can be restored.`;
    const age = Math.max(0, Math.round((Date.now() - Date.parse(to)) / 1_000));
    return `\nRestorable: ${from} to ${to}, ${counted(age, "second")} ago.`;
  });
  const log = ranges.length === 0 ? "" : `\nSegments of the log: ${thousands(segments)}.`;
  return `${table}\n${moments.join("")}${log}${damage.join("")}`;
}

/** `backup`: copies of the database and of producers' files in a vault, and their restore. */
export function backupCommand(backup: Command): void {
  backup.addHelpText(
    "after",
    `
A vault is a folder on another disk, or a bucket. BACKUP_VAULT or --vault names it: /mnt/backups, file:///mnt/backups, or
s3://bucket/prefix?endpoint=https://…&region=…&path_style=true. BACKUP_KEY encrypts it. With BACKUP_VAULT, \`serve\` makes backups
by itself (docs/backups.md).`,
  );
  for (const register of [createCommand, listCommand, verifyCommand, pruneCommand, restoreCommand]) register(backup);
}
