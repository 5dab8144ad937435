import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReportingBench } from "../../bench.ts";
import { writeImport } from "../../catalogue/kept-catalogue.ts";
import { makeDatabase } from "../../processes/database.ts";
import { freePort } from "../../processes/free-port.ts";
import { beatmarket, internalKey, serve } from "../../processes/programs.ts";
import { folderBytes } from "../../report/folder-bytes.ts";
import { secondsOf } from "../../report/seconds-of.ts";
import { firstResponse, startMs } from "./start.ts";

/** The share of rows that are imported after the base backup, so that there is log to replay: a busy day of changes. */
const shareAfterBackup = 0.05;
/** The edition of the source whose rows are not in the catalogue. */
const otherEdition = 1;

/**
 * Measures the recovery from a lost disk: the time from an empty folder to the first response with beats. The vault, a
 * folder, has a base backup of the full catalogue and the write-ahead log of an import while the service ran.
 */
export async function restoreTime({ beats, source, progress, report, say }: ReportingBench): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-bench-restore-"));
  // If the bench runs as root, PostgreSQL runs under another account, which needs access.
  await chmod(folder, 0o711);
  const vault = join(folder, "vault");
  const port = String(await freePort());
  const env = { DATA_DIR: join(folder, "data"), BACKUP_VAULT: vault, PORT: port, DEMO: "off", LOG_LEVEL: "fatal" };
  const origin = `https://localhost:${port}`;
  const seconds = (name: string, value: number) => report({ case: name, value, unit: "s", target: null });
  const importRows = async (rows: number, edition: number): Promise<void> => {
    const files = await writeImport({ folder, source, progress }, rows, edition);
    await beatmarket(["import", files.catalogue, "--map", files.mapping, "--json"], env);
    await rm(files.catalogue);
  };
  try {
    await makeDatabase(env);
    say("importing …");
    await importRows(beats, 0);
    const key = await internalKey(env);

    seconds("backup create", await secondsOf(() => beatmarket(["backup", "create", "--json"], env)));
    say("importing after the base backup …");
    const running = await serve(env);
    await firstResponse(`${origin}/v1/beats`, key);
    await importRows(Math.ceil(beats * shareAfterBackup), otherEdition);
    await running.stop();
    const backupList = JSON.parse(await beatmarket(["backup", "list", "--json"], env)) as {
      segments: number;
      backups: { database: { bytes: number }; reaches_to: string }[];
    };
    const [base] = backupList.backups;
    if (base?.reaches_to !== "now") throw new Error(`The log has a gap: ${JSON.stringify(backupList)}`);
    report({ case: "restore: the database", value: base.database.bytes / 1e9, unit: "GB", target: null });
    report({ case: "restore: the vault", value: (await folderBytes(vault)) / 1e9, unit: "GB", target: null });
    report({ case: "restore: log to replay, 16 MB each", value: backupList.segments, unit: "segments", target: null });

    await rm(env.DATA_DIR, { recursive: true });
    const restoreSeconds = await secondsOf(() => beatmarket(["backup", "restore", "--json"], env));
    // Without the vault, so that no new base backup competes with the start. The restored database has the API key.
    const { BACKUP_VAULT: _, ...alone } = env;
    const startSeconds = (await startMs({ env: alone, origin, key })) / 1_000;
    seconds("restore: the command", restoreSeconds);
    seconds("restore: start to first response after it", startSeconds);
    seconds("restore: both", restoreSeconds + startSeconds);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
