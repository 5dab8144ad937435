import { verifyVault } from "@beatmarket/backup/verify.ts";
import type { Command } from "commander";
import { counted, progressBar, thousands } from "../terminal/progress-bar.ts";
import { printResult } from "../terminal/run.ts";
import { tableText } from "../terminal/table.ts";
import { filesText, segmentsText } from "./backup-text.ts";
import { type VaultOptions, vaultOption, withVault } from "./with-vault.ts";

const withoutKey =
  "whether somebody else wrote these files. The vault has no BACKUP_KEY, and a checksum finds damage alone: everybody who can write to the vault decides what a restore brings.";

export function verifyCommand(backup: Command): void {
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
            onProgress: (done) => bar.show(done.files, { findings: thousands(done.findings) }),
          });
          bar.end();
          const seen = `${counted(counts.backups, "backup")}, ${segmentsText(counts.segments)} and ${filesText(counts.objects)} in ${vault.place}`;
          const unchecked = vault.isEncrypted ? [] : [withoutKey];
          const rows = findings.map(({ file, fault }) => [file, fault]);
          printResult(
            options.json,
            { place: vault.place, is_encrypted: vault.isEncrypted, ...counts, unchecked, findings },
            findings.length === 0
              ? `All is well: ${seen}.${unchecked.map((what) => `\nNot checked: ${what}`).join("")}`
              : `${tableText([["FILE", "FAULT"], ...rows])}\n\n${counted(findings.length, "fault")} among ${seen}.`,
          );
          if (findings.length > 0) process.exitCode = 1;
        } finally {
          bar.end();
        }
      }),
    );
}
