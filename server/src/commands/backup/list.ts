import type { Command } from "commander";
import { type Catalogue, isOnNewestTimeline, isUnbroken, readCatalogue } from "../../backup/catalogue.ts";
import { bytesInWords } from "../../text/bytes.ts";
import { thousands } from "../terminal/progress-bar.ts";
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
    .action((options: VaultOptions) =>
      withVault(options, async (vault) => {
        await vault.require();
        const catalogue = await readCatalogue(vault);
        const { backups } = catalogue;
        const moments = restorable(catalogue);
        const value = {
          place: vault.place,
          is_encrypted: vault.isEncrypted,
          backups: backups.map((its) => ({ ...backupJson(its), reaches_to: reach(catalogue, its.id) })),
          restorable: moments,
          segments: catalogue.segments.size,
        };
        printResult(options.json, value, textOf(catalogue, moments, vault.place));
      }),
    );
}

/** From the first backup to where the archive ends. Null without a backup of a database. */
function restorable(catalogue: Catalogue): { from: string; to: string } | null {
  const [first] = catalogue.backups.filter((backup) => isOnNewestTimeline(catalogue, backup));
  if (first === undefined) return null;
  const until = catalogue.archived?.until ?? first.ended_at;
  const isBehind = until > first.ended_at;
  return { from: first.ended_at, to: isBehind ? until : first.ended_at };
}

/** How far the log can be replayed from a backup. */
function reach(catalogue: Catalogue, id: string): "now" | "gap" | "past" | null {
  const backup = catalogue.backups.find((its) => its.id === id);
  if (backup === undefined || backup.database === null) return null;
  if (!isOnNewestTimeline(catalogue, backup)) return "past";
  return isUnbroken(catalogue, backup) ? "now" : "gap";
}

const reaches = {
  now: "to the end of the archive",
  gap: "to a gap in the log",
  past: "a past that a restore left",
} as const;

function textOf(catalogue: Catalogue, moments: ReturnType<typeof restorable>, place: string): string {
  if (catalogue.backups.length === 0) return `No backups in ${place}.`;
  const rows = catalogue.backups.map((backup) => {
    const { database, objects } = backupJson(backup);
    const how = reach(catalogue, backup.id);
    return [
      backup.id,
      wholeSecondsUtc(new Date(backup.ended_at)) ?? "",
      database === null ? "not in it" : bytesInWords(database.bytes),
      thousands(objects),
      how === null ? "" : reaches[how],
    ];
  });
  const table = tableText([["BACKUP", "FROM", "DATABASE", "FILES", "REACHES"], ...rows]);
  if (moments === null) return table;
  const age = Math.max(0, Math.round((Date.now() - Date.parse(moments.to)) / 1_000));
  return `${table}\n\nRestorable: ${moments.from} to ${moments.to}, ${thousands(age)} seconds ago. Segments of the log: ${thousands(catalogue.segments.size)}.`;
}
