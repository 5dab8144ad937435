import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { openObjects } from "@beatmarket/storage/open-storage.ts";
import { readConfig } from "../../../src/config.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";
import type { Report } from "../../harness/programmes/report.ts";
import type { Fault } from "../fault.ts";
import { Client, countStatuses, isUnavailable } from "../stage/client.ts";
import { makeBeats, makeKey, type Program, type Stage } from "../stage/stage.ts";
import { allOperational, statusWithin } from "../stage/status.ts";
import { connectTo, embedded, loseDisk, orders, ordersIn, slot, untilFirstBackup } from "./restore.ts";

const awayMs = { whole: 60_000, short: 15_000 };
const loadMs = 10_000;
const pollMs = 250;
const timeoutMs = 120_000;

export const disksUnmounted: Fault = {
  name: "disks-unmounted",
  about:
    "the disks of vault and storage are not mounted for a minute, under orders, and then the disk of the data is lost",
  run: async (stage, report, extent) => {
    const [vault, storage] = [await diskOf(stage, "vault"), await diskOf(stage, "storage")];
    if (vault === null || storage === null)
      return report.skip("disks that are not mounted", "only root may mount a folder, and not in every container");
    const settings = { STORAGE_URL: pathToFileURL(storage.mountPoint).href, BACKUP_VAULT: vault.mountPoint };
    const start = async (): Promise<Program> => {
      const program = stage.serve(slot, embedded, settings);
      await program.ready;
      return program;
    };
    let server = await start();
    let db = await connectTo(stage);
    const key = await makeKey(db, "buyer@example.com");
    const market = { beats: await makeBeats(db, 20), key, unanswered: [] };
    const beat = market.beats[0] ?? 0;
    await storeRecording(stage, db, beat, settings);
    await untilFirstBackup(stage, settings);
    const client = new Client(server.address, key);
    stage.onClose(() => client.close());
    const buy = () => client.order({ beat_id: beat, payment_method: "pm_card_visa" }, randomUUID());
    report.check("an order before the fault", (await buy()).status === 201, 201);
    let load = orders(server, market);
    await sleep(loadMs);
    const acknowledgedOrders = await load.stop();

    const failures = await metric(client, "beatmarket_backup_failures_total");
    for (const disk of [vault, storage]) disk.unmount();
    await statusWithin(report, server.address, "without the disks", {
      payments: "major_outage",
      files: "major_outage",
      uploads: "major_outage",
      api: "operational",
      catalogue: "operational",
    });
    await sleep(awayMs[extent]);
    const ready = await client.getOutsideApi("/readyz");
    report.check("/readyz without the disks", ready.status === 503 && ready.body.includes("storage away"), ready.body);
    const refused = [await buy(), await buy()];
    report.check("orders without the disks", refused.every(isUnavailable), countStatuses(refused));
    const counted = (await metric(client, "beatmarket_backup_failures_total")) - failures;
    report.check("failures that /metrics counts", counted > 0, counted);
    report.check(
      "/metrics shows that the storage is not available",
      (await metric(client, "beatmarket_storage_available")) === 0,
      0,
    );
    const strays = [...(await readdir(vault.mountPoint)), ...(await readdir(storage.mountPoint))];
    report.check("files in the mount points", strays.length === 0, strays.join(", ") || "none");
    for (const disk of [vault, storage]) disk.mount();

    const isBack = await eventually(async () => (await client.getOutsideApi("/readyz")).status === 200);
    report.check("ready again", isBack, String(isBack));
    await statusWithin(report, server.address, "with the disks", allOperational);
    report.check("an order after the fault", (await buy()).status === 201, 201);
    load = orders(server, market);
    await sleep(loadMs);
    acknowledgedOrders.push(...(await load.stop()));
    const acknowledgedMs = Date.now();
    const isShipped = await eventually(async () => {
      const age = await metric(client, "beatmarket_backup_archived_age_seconds");
      return Date.now() - age * 1_000 > acknowledgedMs;
    });
    report.check("the vault has everything again", isShipped, String(isShipped));
    await db.close(0);
    await loseDisk(stage, server);

    const restored = JSON.parse(await stage.commandText(slot, embedded, ["backup", "restore", "--json"], settings));
    report.check("the restore reports no gap", restored.gap === null, String(restored.gap));
    report.check("files that the restore lacks", restored.missing_files.length === 0, restored.missing_files.length);
    server = await start();
    db = await connectTo(stage);
    await checkOrders(db, acknowledgedOrders, report);
    await db.close();
  },
};

async function checkOrders(
  db: TestDatabase,
  acknowledgedOrders: readonly { id: number }[],
  report: Report,
): Promise<void> {
  const { completed } = await ordersIn(db);
  const lost = acknowledgedOrders.filter(({ id }) => !completed.has(id)).length;
  report.check("acknowledged orders that the restore lacks", lost === 0, `${lost} of ${acknowledgedOrders.length}`);
}

/** A folder that is mounted from another one, like a disk; null if mounting is not permitted. */
async function diskOf(stage: Stage, name: string) {
  const [disk, mountPoint] = [join(stage.folder, `${name}-disk`), join(stage.folder, name)];
  for (const folder of [disk, mountPoint]) await mkdir(folder);
  const mount = () => void execFileSync("mount", ["--bind", disk, mountPoint], { stdio: "ignore" });
  const unmount = () => void execFileSync("umount", ["--lazy", mountPoint], { stdio: "ignore" });
  try {
    mount();
  } catch {
    return null;
  }
  stage.onClose(async () => unmount());
  return { mountPoint, mount, unmount };
}

/** Stores the recording of a beat in the same way as publishing does. */
async function storeRecording(
  stage: Stage,
  db: TestDatabase,
  beat: number,
  settings: Record<string, string>,
): Promise<void> {
  const objects = await openObjects(db.query, readConfig({ DATA_DIR: stage.dataDir(slot), ...settings }));
  const file = join(stage.folder, "recording");
  await writeFile(file, "what a buyer gets");
  const { sha256, bytes } = await objects.store(file);
  await db.driver`
    insert into beat_files (beat_id, name, sha256, bytes, content_type)
    values (${beat}, 'master', ${sha256}, ${bytes}, 'audio/wav')`;
}

async function metric(client: Client, name: string): Promise<number> {
  const { body } = await client.getOutsideApi("/metrics");
  return Number(new RegExp(`^${name} (.+)$`, "m").exec(body)?.[1] ?? Number.NaN);
}

async function eventually(isSo: () => Promise<boolean>): Promise<boolean> {
  for (const untilMs = performance.now() + timeoutMs; performance.now() < untilMs; await sleep(pollMs))
    if (await isSo()) return true;
  return false;
}
