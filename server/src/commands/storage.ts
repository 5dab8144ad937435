import { counted, thousands } from "@beatmarket/foundation/text/counted.ts";
import { requireStorage } from "@beatmarket/storage/claim-storage.ts";
import { openStorage } from "@beatmarket/storage/open-storage.ts";
import { countObjects, type Finding, type Verification, verifyObjects } from "@beatmarket/storage/verify-objects.ts";
import type { Command } from "commander";
import { progressBar, tableText } from "./terminal/output.ts";
import { printResult, stopSignal, withDatabase } from "./terminal/run.ts";

interface VerifyOptions {
  checksums?: true;
  repair?: true;
  json?: true;
}

/** `storage`: checks the uploads of producers, and the files derived from them. */
export function storageCommand(program: Command): void {
  const storage = program.command("storage").description("Look after the files of producers.");
  storage
    .command("verify")
    .description("Compare the files in the storage with what the database knows of them.")
    .option("--checksums", "read every file, and compare its content with its hash")
    .option("--repair", "repair what can be repaired")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
It can run while a server runs, and takes the same DATA_DIR, DATABASE_URL and STORAGE_URL. It finds files that are missing, that
are damaged (another size; with --checksums, another content), and files that the database does not know.

--repair hands unknown files to the sweeper, which deletes them an hour later, and forgets missing and damaged ones that
nothing refers to. A missing or damaged file that something refers to comes back from a backup of the storage, or when its
producer uploads it again.

Exit status: 0 when all is well or repaired, 1 when something is left to do or the storage cannot be read.`,
    )
    .action((options: VerifyOptions) =>
      withDatabase(async ({ query }, config) => {
        const opened = await openStorage(config.storage);
        await requireStorage(query, opened);
        const expected = await countObjects(query);
        const ofBytes = options.checksums === true;
        const bar = progressBar(
          "{bar} {percentage}% | {objects} files | {findings} faults | {eta_formatted} left",
          ofBytes ? expected.bytes : expected.objects,
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
              bar.show(ofBytes ? bytes : objects, { objects: thousands(objects), findings: thousands(findings) }),
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
  if (fault === "unknown" || referred_by.length === 0) return "run it with --repair";
  // Sold files must keep their content.
  const isSold = referred_by.some((referrer) => /^(licenses|orders|renditions) /.test(referrer));
  return isSold ? "restore it from a backup" : "restore it from a backup, or let its producer upload it again";
}
