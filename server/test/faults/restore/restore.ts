import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serverProcesses } from "@beatmarket/postgres/testing/processes.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { connectForTest, type TestDatabase } from "../../harness/database/driver.ts";
import type { Report } from "../../harness/programmes/report.ts";
import type { Fault } from "../fault.ts";
import { Client } from "../stage/client.ts";
import { Receiver, subscribe } from "../stage/receiver.ts";
import { makeBeats, makeKey, type Program, type Stage } from "../stage/stage.ts";
import { RecordedDeliveries } from "./recorded-deliveries.ts";
import { WatchedLog } from "./watched-log.ts";

const rounds = { whole: 50, short: 2 };
const longestLoadMs = { whole: 90_000, short: 20_000 };
const leastLoadMs = 5_000;
const buyers = 2;
/** The promise: a restore has everything that was acknowledged this long before the loss of a disk. */
const rpoMs = 60_000;
export const embedded = "";
export const slot = 0;

interface AcknowledgedOrder {
  id: number;
  atMs: number;
}

export const restores: Fault = {
  name: "restore",
  about:
    "the disk is lost at 50 random moments, under orders, files, webhooks and kills, and comes back from the vault",
  run: async (stage, report, extent, times = rounds[extent]) => {
    const settings = { STORAGE_URL: "", BACKUP_VAULT: join(stage.folder, "vault"), BACKUP_KEY: "k".repeat(40) };
    const start = async (): Promise<Program> => {
      const program = stage.serve(slot, embedded, settings);
      await program.ready;
      return program;
    };
    let server = await start();
    let db = await connectTo(stage);
    const market: Market = {
      beats: await makeBeats(db, 50),
      key: await makeKey(db, "buyer@example.com"),
      unanswered: [],
    };
    const deliveries = new RecordedDeliveries();
    const receiver = await Receiver.listen(stage, (request, response) => {
      deliveries.receive(String(request.headers["webhook-id"]));
      response.end("ok");
    });
    await subscribe(db, receiver.url);
    await untilFirstBackup(stage, settings);

    const acknowledged = new Map<number, AcknowledgedOrder>();
    const log = new WatchedLog();
    const worst = { lostMs: 0, restoreMs: 0, late: 0, logMs: 0 };
    let kills = 0;
    for (let round = 0; round < times; round++) {
      let load = orders(server, market);
      const files = storeFiles(stage, db);
      let watch = deliveries.watch(db);
      let watchLog = log.watch(server.address);
      await sleep(randomInt(leastLoadMs, longestLoadMs[extent]));
      if (randomInt(2) === 0) {
        // A kill between two losses of a disk.
        await files.stop();
        await watch.stop();
        await watchLog.stop();
        server.child.kill("SIGKILL");
        kills++;
        await server.ended;
        for (const order of await load.stop()) acknowledged.set(order.id, order);
        await db.close();
        server = await start();
        db = await connectTo(stage);
        watch = deliveries.watch(db);
        watchLog = log.watch(server.address);
        load = orders(server, market);
        await sleep(randomInt(1_000, 10_000));
      } else await files.stop();
      await watch.stop();
      await watchLog.stop();
      await db.close(0);
      const lostAtMs = performance.now();
      await loseDisk(stage, server);
      for (const order of await load.stop()) acknowledged.set(order.id, order);
      deliveries.reportRestore(lostAtMs - rpoMs);

      const output = await stage.commandText(slot, embedded, ["backup", "restore", "--json"], settings);
      const restored = JSON.parse(output) as { missing_files: string[] };
      worst.restoreMs = Math.max(worst.restoreMs, performance.now() - lostAtMs);
      report.check(
        `files that restore ${round + 1} lacks`,
        restored.missing_files.length === 0,
        restored.missing_files.length,
      );
      server = await start();
      db = await connectTo(stage);
      const { completed, pending } = await ordersIn(db);
      // A pending order was acknowledged after the restored moment, and the service completes it.
      for (const { id, atMs } of [...acknowledged.values()].filter(
        ({ id }) => !completed.has(id) && !pending.has(id),
      )) {
        const ageMs = lostAtMs - atMs;
        worst.lostMs = Math.max(worst.lostMs, ageMs);
        if (ageMs > rpoMs) worst.late++;
        acknowledged.delete(id);
      }
      // Each order belongs to an acknowledged purchase, or to a purchase that a client will repeat.
      const doubled = Math.max(0, completed.size - acknowledged.size - market.unanswered.length);
      report.check(`restore ${round + 1}: orders beyond one for each purchase`, doubled === 0, doubled);
      await checkConsistency(stage, db, report, settings, round + 1);
      const audited = await log.audit(server.address, db, lostAtMs);
      worst.logMs = Math.max(worst.logMs, audited.lostMs);
      report.check(
        `restore ${round + 1}: faults of the license log that an auditor finds`,
        audited.problems.length === 0 && audited.lostMs <= rpoMs,
        [...audited.problems, `${Math.round(audited.lostMs)} ms lost`].join(" "),
      );
      report.progress(`${round + 1} of ${times} restores`);
    }
    await delivered(db);
    const { completed } = await ordersIn(db);
    const open = [...acknowledged.keys()].filter((id) => !completed.has(id)).length;
    report.check("restored acknowledged orders that are not completed", open === 0, `${open} of ${acknowledged.size}`);
    report.measure("lost and restored disks, and kills between them", `${times}, ${kills}`);
    report.check(
      "lost orders that were acknowledged more than 60 s before the fault",
      worst.late === 0,
      `${worst.late} of ${acknowledged.size}`,
    );
    report.check(
      "age of the oldest acknowledged order that was lost",
      worst.lostMs <= rpoMs,
      `${Math.round(worst.lostMs / 1_000)} s`,
    );
    report.check(
      "age of the newest published checkpoint that a restored log continues",
      worst.logMs <= rpoMs,
      `${Math.round(worst.logMs)} ms`,
    );
    report.check(
      "repeated webhooks whose acknowledgement was recorded at least 60 s before a disk was lost",
      deliveries.doubled.size === 0,
      `${deliveries.doubled.size} of ${deliveries.events}`,
    );
    report.measure("longest restore", `${Math.round(worst.restoreMs / 1_000)} s`);
    await checkWebhooks(db, deliveries, report);
    await db.close();
  },
};

/** A connection to the embedded server that does not keep the server running, unlike the connections of other users. */
export async function connectTo(stage: Stage): Promise<TestDatabase> {
  const [, , , port, socketDir = ""] = (
    await readFile(join(stage.dataDir(slot), "postgres/postmaster.pid"), "utf8")
  ).split("\n");
  const address = { socketDir, port: Number(port), user: "beatmarket", database: "beatmarket" };
  return connectForTest(address, { max: 2, applicationName: "faults" });
}

export async function untilFirstBackup(stage: Stage, settings: Record<string, string>): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const backupList = await stage
      .command<{ backups: unknown[] }>(slot, embedded, ["backup", "list"], settings)
      .catch(() => ({ backups: [] }));
    if (backupList.backups.length > 0) return;
    await sleep(1_000);
  }
  throw new Error("The service made no base backup within a minute.");
}

interface Purchase {
  beat_id: number;
  idempotencyKey: string;
}

interface Market {
  beats: number[];
  key: string;
  /** Purchases without a response because of a kill. Clients repeat them with the same Idempotency-Key. */
  unanswered: Purchase[];
}

/** Buys until `stop`, which returns the acknowledged orders. */
export function orders({ address }: Program, { beats, key, unanswered }: Market) {
  const acknowledged: AcknowledgedOrder[] = [];
  let isOver = false;
  const loops = Array.from({ length: buyers }, async () => {
    const client = new Client(address, key);
    while (!isOver) {
      const purchase = unanswered.shift() ?? {
        beat_id: beats[randomInt(beats.length)] as number,
        idempotencyKey: randomUUID(),
      };
      const { beat_id, idempotencyKey } = purchase;
      const reply = await client.order({ beat_id, payment_method: "pm_card_visa" }, idempotencyKey);
      if (reply.status === 201) acknowledged.push({ id: JSON.parse(reply.body).data.order.id, atMs: reply.endedMs });
      else unanswered.push(purchase);
      await sleep(50);
    }
    await client.close();
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
      return acknowledged;
    },
  };
}

/** Stores files and the rows that refer to them, as uploads do, until the caller stops it. */
function storeFiles(stage: Stage, db: TestDatabase) {
  let isOver = false;
  const objects = new StoredObjects(db.query, new FolderStorage(join(stage.dataDir(slot), "objects")));
  const draft = join(stage.folder, "file");
  const loop = (async () => {
    while (!isOver) {
      await writeFile(draft, randomBytes(randomInt(1, 200_000)));
      const { sha256, bytes } = await objects.store(draft);
      const id = `upl_${sha256.slice(0, 16)}`;
      await db.driver`
        insert into uploads (id, user_id, kind, filename, bytes, created_at, expires_at)
        select ${id}, id, 'audio', 'a.wav', ${bytes}, now(), now() + interval '1 day' from users limit 1`;
      await db.driver`
        insert into upload_files (upload_id, name, sha256, bytes, content_type)
        values (${id}, 'original', ${sha256}, ${bytes}, 'audio/wav')`;
      await sleep(randomInt(500));
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await loop;
    },
  };
}

/** Deletes the data folder, and ends every process that could write to it. */
export async function loseDisk(stage: Stage, server: Program): Promise<void> {
  const cluster = await realpath(join(stage.dataDir(slot), "postgres"));
  server.child.kill("SIGKILL");
  await server.ended;
  for (let pids = serverProcesses(cluster); pids.length > 0; pids = serverProcesses(cluster)) {
    for (const pid of pids) kill(pid);
    await sleep(20);
  }
  await rm(cluster, { recursive: true, force: true });
  await rm(stage.dataDir(slot), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended already.
  }
}

/** The ids of completed and of pending orders. */
export async function ordersIn(db: TestDatabase): Promise<Record<"completed" | "pending", ReadonlySet<number>>> {
  const rows = await db.driver<{ id: number; status: string }[]>`select id::int as id, status from orders`;
  const idsWith = (orderStatus: string) =>
    new Set(rows.filter(({ status }) => status === orderStatus).map(({ id }) => id));
  return { completed: idsWith("completed"), pending: idsWith("pending") };
}

async function checkConsistency(
  stage: Stage,
  db: TestDatabase,
  report: Report,
  settings: Record<string, string>,
  round: number,
): Promise<void> {
  const [counts] = await db.driver<{ events: number; ledger: number }[]>`
    select ((select count(*) from events where type = 'beat.purchased') - count(*) filter (where status = 'completed'))::int as events,
      (select coalesce(sum(amount_cents), 0)::int from ledger_entries) as ledger
    from orders`;
  report.check(
    `restore ${round}: orders without exactly one event, sum of the ledger`,
    counts?.events === 0 && counts.ledger === 0,
    `${counts?.events}, ${counts?.ledger}`,
  );
  const args = ["storage", "verify", "--checksums"];
  const { objects, findings } = await stage.command<{ objects: number; findings: { fault: string }[] }>(
    slot,
    embedded,
    args,
    settings,
  );
  // Files that are being stored at this moment do not belong to the restore.
  const faults = findings.filter(({ fault }) => fault !== "unknown");
  report.check(`restore ${round}: files missing or damaged`, faults.length === 0, `${faults.length} of ${objects}`);
}

async function delivered(db: TestDatabase): Promise<void> {
  await db.driver`update webhook_deliveries set leased_until = now() where state = 'sending'`;
  for (let attempt = 0; attempt < 240; attempt++) {
    const open = await db.driver`select 1 from webhook_deliveries where state <> 'succeeded' limit 1`;
    if (open.length === 0) return;
    await sleep(250);
  }
}

async function checkWebhooks(db: TestDatabase, deliveries: RecordedDeliveries, report: Report): Promise<void> {
  const rows = await db.driver<{ id: string }[]>`select id from events where type = 'beat.purchased'`;
  const undelivered = rows.filter(({ id }) => !deliveries.isReceived(id)).length;
  report.check("undelivered events of restored orders", undelivered === 0, `${undelivered} of ${rows.length}`);
  report.measure("repeated deliveries", deliveries.requests - deliveries.events);
}
