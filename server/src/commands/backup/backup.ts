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
import { progressBar, tableText, wholeSecondsUtc } from "../terminal/output.ts";
import { printResult } from "../terminal/run.ts";
import { createCommand } from "./create.ts";
import { restoreCommand } from "./restore.ts";
import { backupJson, filesText, segmentsText, type VaultOptions, vaultOption, withVault } from "./vault.ts";

const withoutKey =
  "whether someone else wrote these files. The vault has no BACKUP_KEY, and a checksum finds damage alone: everyone who can write to the vault decides what a restore brings.";

function verifyCommand(backup: Command): void {
  backup
    .command("verify")
    .description("Read all of a vault, and compare it with its checksums.")
    .option(...vaultOption)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
It changes nothing. What is damaged is named; make a new backup then (beatmarket backup create), which brings again what is
missing of the files of producers. A vault without a backup is a fault, too: nothing can be restored from it.

Exit status: 0 when all is well, 1 when something is missing or damaged or the vault cannot be read.`,
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
    .description("Delete what no moment of the last days needs.")
    .option(...vaultOption)
    .option("--keep <duration>", "instead of BACKUP_KEEP_DAYS (7)", reading(parseDuration))
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nThe newest backup always stays, and so does what it needs.\n\nExit status: 0 when it is done, also with nothing to delete; 1 otherwise.",
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
    .addHelpText("after", "\nExit status: 0 when the vault was read, also where it names damage; 1 otherwise.")
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

/** The end of the log that can be replayed from a backup. */
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
  past: "a past that a restore left",
} as const;

function textOf(backupList: BackupList, ranges: readonly Range[], segments: number, place: string): string {
  const damage = backupList.damaged.map(({ message }) => `\n${message} beatmarket backup verify names all that is.`);
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
      return `\nRestorable: ${from} to ${to}, and what the log holds as far as ${gap_after}. A gap follows: nothing between it and the next base backup comes back.`;
    const age = Math.max(0, Math.round((Date.now() - Date.parse(to)) / 1_000));
    return `\nRestorable: ${from} to ${to}, ${counted(age, "second")} ago.`;
  });
  const log = ranges.length === 0 ? "" : `\nSegments of the log: ${thousands(segments)}.`;
  return `${table}\n${moments.join("")}${log}${damage.join("")}`;
}

/** `backup`: copies of the database and of producers' files in a vault, and their restore. */
export function backupCommand(program: Command): void {
  const backup = program
    .command("backup")
    .description("Back up the database and the files of producers, and restore them.")
    .addHelpText(
      "after",
      `
A vault is a folder of another disk or a bucket, as BACKUP_VAULT or --vault names it: /mnt/backups, file:///mnt/backups, or
s3://bucket/prefix?endpoint=https://…&region=…&path_style=true. BACKUP_KEY encrypts it. With BACKUP_VAULT \`serve\` backs up by
itself; docs/backups.md explains the rest.`,
    );
  for (const register of [createCommand, listCommand, verifyCommand, pruneCommand, restoreCommand]) register(backup);
}
