import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReportingBench } from "../../bench.ts";
import { writeImport } from "../../catalogue/kept-catalogue.ts";
import { holdDatabase } from "../../processes/database.ts";
import { freePort } from "../../processes/free-port.ts";
import { beatmarket, internalKey } from "../../processes/programs.ts";
import { folderBytes } from "../../report/folder-bytes.ts";
import { secondsOf } from "../../report/seconds-of.ts";
import { startMs } from "./start.ts";

/**
 * Measures how long a service with the full catalogue is unreachable during an upgrade to a new major version of
 * PostgreSQL.
 */
export async function upgradeTime({ beats, source, progress, report, say }: ReportingBench): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-bench-upgrade-"));
  // If the bench runs as root, PostgreSQL runs under another account, which needs access.
  await chmod(folder, 0o711);
  const port = String(await freePort());
  const env = { DATA_DIR: join(folder, "data"), PORT: port, DEMO: "off", LOG_LEVEL: "fatal" };
  const seconds = (name: string, value: number) => report({ case: name, value, unit: "s", target: null });
  try {
    say("importing …");
    const old = await holdDatabase(env.DATA_DIR, "old");
    const onOld = { ...env, DATABASE_URL: old.url };
    const files = await writeImport({ folder, source, progress }, beats);
    await beatmarket(["import", files.catalogue, "--map", files.mapping, "--json"], onOld);
    const key = await internalKey(onOld);
    await old.stop();

    let output = "";
    const upgrade = await secondsOf(async () => {
      output = await beatmarket(["upgrade", "--json"], env);
    });
    const { copied, previous } = JSON.parse(output) as { copied: { rows: number }; previous: string };
    report({ case: "upgrade: rows", value: copied.rows / 1e6, unit: "million", target: null });
    report({ case: "upgrade: the old database", value: (await folderBytes(previous)) / 1e9, unit: "GB", target: null });
    const start = (await startMs({ env, origin: `https://localhost:${port}`, key })) / 1_000;
    seconds("upgrade: the command", upgrade);
    seconds("upgrade: start to first response after it", start);
    seconds("upgrade: command and start", upgrade + start);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
