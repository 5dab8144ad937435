import { prune } from "@beatmarket/backup/prune.ts";
import type { Command } from "commander";
import { reading } from "../terminal/arguments.ts";
import { parseDuration } from "../terminal/duration-argument.ts";
import { counted } from "../terminal/progress-bar.ts";
import { printResult } from "../terminal/run.ts";
import { filesText, segmentsText } from "./backup-text.ts";
import { type VaultOptions, vaultOption, withVault } from "./with-vault.ts";

const dayMs = 86_400_000;

export function pruneCommand(backup: Command): void {
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
