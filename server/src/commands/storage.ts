import { counted, thousands } from "@beatmarket/foundation/text/counted.ts";
import { requireStorage } from "@beatmarket/storage/claim-storage.ts";
import { openStorage } from "@beatmarket/storage/open-storage.ts";
import { countObjects, type Finding, type Verification, verifyObjects } from "@beatmarket/storage/verify-objects.ts";
import type { Command } from "commander";
import { tableText } from "./terminal/output.ts";
import { progressBar } from "./terminal/progress-bar.ts";
import { printResult, stopSignal, withDatabase } from "./terminal/run.ts";

interface VerifyOptions {
  checksums?: true;
  repair?: true;
  json?: true;
}

/** `storage`: checks the uploads of producers, and the files derived from them. */
export function storageCommand(storage: Command): void {
  storage
    .command("verify")
    .description("Compare the files in the storage with the list in the database.")
    .option("--checksums", "read every file, and compare its content with its hash")
    .option("--repair", "repair what can be repaired")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
The command can run while a server runs, and takes the same DATA_DIR, DATABASE_URL and STORAGE_URL. It finds missing files,
damaged files (another size; with --checksums, another content), and files that the database does not know.

--repair queues unknown files for deletion an hour later. It removes missing and damaged files from the list if nothing refers
to them. If something refers to a missing or damaged file, restore the file from a backup of the storage, or let its producer
upload it again.

Exit status: 0 when every fault is repaired or there is none; 1 when a fault remains or the storage cannot be read.`,
    )
    .action((options: VerifyOptions) =>
      withDatabase(async ({ query }, config) => {
        const opened = await openStorage(config.storage);
        await requireStorage(query, opened);
        const expected = await countObjects(query);
        const showsBytes = options.checksums === true;
        const bar = progressBar(
          "{bar} {percentage}% | {objects} files | {findings} faults | {eta_formatted} left",
          showsBytes ? expected.bytes : expected.objects,
          { objects: "0", findings: "0" },
        );
        const stop = new AbortController();
        void stopSignal().then(() => stop.abort(new Error("Stopped before the end.")));
        try {
          const verification = await verifyObjects(query, opened, {
            checksums: options.checksums === true,
            repair: options.repair === true,
            signal: stop.signal,
            onProgress: ({ objects, bytes, findings }) =>
              bar.show(showsBytes ? bytes : objects, { objects: thousands(objects), findings: thousands(findings) }),
          });
          bar.end();
          printResult(options.json, { place: opened.place, ...verification }, reportOf(verification, opened.place));
          if (verification.findings.some(({ is_repaired }) => !is_repaired)) process.exitCode = 1;
        } finally {
          bar.end();
        }
      }),
    );
}

function reportOf({ objects, bytes, findings }: Verification, place: string): string {
  const total = `${counted(objects, "file")} with ${counted(bytes, "byte")} in ${place}`;
  if (findings.length === 0) return `All is well: ${total}.`;
  const rows = findings.map((finding) => [
    finding.fault,
    finding.sha256,
    thousands(finding.bytes),
    finding.referred_by.join(", ") || "nothing",
    remedy(finding),
  ]);
  return `${tableText([["FAULT", "SHA-256", "BYTES", "REFERRED TO BY", "WHAT TO DO"], ...rows])}\n\n${counted(findings.length, "fault")} among ${total}.`;
}

function remedy({ is_repaired, fault, referred_by }: Finding): string {
  if (is_repaired) return "repaired";
  if (fault === "unknown" || referred_by.length === 0) return "run the command with --repair";
  // Sold files must keep their content.
  const isSold = referred_by.some((referrer) => /^(licenses|orders|renditions) /.test(referrer));
  return isSold ? "restore it from a backup" : "restore it from a backup, or let its producer upload it again";
}
