import {
  type Backup,
  type BackupList,
  isOnNewestTimeline,
  isUnbroken,
  readBackupList,
} from "@beatmarket/backup/backup-list.ts";
import { chooseBackup, type Range, restorable } from "@beatmarket/backup/restore/choose-backup.ts";
import { formatBytes } from "@beatmarket/foundation/text/bytes.ts";
import type { Command } from "commander";
import { counted, thousands } from "../terminal/progress-bar.ts";
import { printResult } from "../terminal/run.ts";
import { tableText, wholeSecondsUtc } from "../terminal/table.ts";
import { backupJson } from "./backup-text.ts";
import { type VaultOptions, vaultOption, withVault } from "./with-vault.ts";

export function listCommand(backup: Command): void {
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
          backups: backupList.backups.map((its) => ({ ...backupJson(its), reaches_to: reach(backupList, its) })),
          restorable: ranges,
          segments,
          damaged: backupList.damaged.map(({ file, fault }) => ({ file, fault })),
        };
        printResult(options.json, value, textOf(backupList, ranges, segments, vault.place));
      }),
    );
}

/** How far the log can be replayed from a backup. */
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
