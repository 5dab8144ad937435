import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FolderStorage } from "../../../src/storage/folder-storage.ts";
import { StoredObjects } from "../../../src/storage/stored-objects.ts";
import { connectForTest, type TestDatabase } from "../../harness/database/driver.ts";
import type { Report } from "../../harness/programmes/report.ts";
import { serverProcesses } from "../../processes/processes.ts";
import type { Fault } from "../fault.ts";
import { Client } from "../stage/client.ts";
import { Receiver, subscribe } from "../stage/receiver.ts";
import { makeBeats, makeKey, type Program, type Stage } from "../stage/stage.ts";

const rounds = { whole: 50, short: 2 };
const longestLoadMs = { whole: 90_000, short: 20_000 };
const leastLoadMs = 5_000;
const buyers = 2;
/** The promise: what was acknowledged earlier than that before a disk was lost comes back. */
const rpoMs = 60_000;
/** What was received so shortly before a kill may not have been written down. */
const unnotedMs = 1_000;
const embedded = "";
const slot = 0;

interface Acknowledged {
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
    const market = { beats: await makeBeats(db, 50), key: await makeKey(db, "buyer@example.com") };
    const seen = new Map<string, number[]>();
    const receiver = await Receiver.listen(stage, (request, response) => {
      const id = String(request.headers["webhook-id"]);
      seen.set(id, [...(seen.get(id) ?? []), performance.now()]);
      response.end("ok");
    });
    await subscribe(db, receiver.url);
    await untilFirstBackup(stage, settings);

    const kept = new Map<number, Acknowledged>();
    const worst = { lostMs: 0, restoreMs: 0, late: 0, doubledLate: 0 };
    const killedAtMs: number[] = [];
    for (let round = 0; round < times; round++) {
      const load = orders(server, market);
      const files = storeFiles(stage, db);
      await sleep(randomInt(leastLoadMs, longestLoadMs[extent]));
      if (randomInt(2) === 0) {
        // A kill that loses no disk, in between.
        await files.stop();
        for (const order of await load.stop()) kept.set(order.id, order);
        server.child.kill("SIGKILL");
        killedAtMs.push(performance.now());
        await server.ended;
        await db.close();
        server = await start();
        db = await connectTo(stage);
        const more = orders(server, market);
        await sleep(randomInt(1_000, 10_000));
        for (const order of await more.stop()) kept.set(order.id, order);
      } else {
        for (const order of await load.stop()) kept.set(order.id, order);
        await files.stop();
      }
      await db.close(0);
      const lostAtMs = performance.now();
      await loseDisk(stage, server);

      const told = await stage.commandText(slot, embedded, ["backup", "restore", "--json"], settings);
      const restored = JSON.parse(told) as { missing_files: string[] };
      worst.restoreMs = Math.max(worst.restoreMs, performance.now() - lostAtMs);
      report.check(
        `files that restore ${round + 1} lacks`,
        restored.missing_files.length === 0,
        restored.missing_files.length,
      );
      server = await start();
      db = await connectTo(stage);
      for (const { id, atMs } of await missing(db, kept)) {
        const ageMs = lostAtMs - atMs;
        worst.lostMs = Math.max(worst.lostMs, ageMs);
        if (ageMs > rpoMs) worst.late++;
        kept.delete(id);
      }
      await checkConsistency(stage, db, report, settings, round + 1);
      worst.doubledLate += doubledFromBefore(seen, lostAtMs, killedAtMs);
      report.tell(`${round + 1} of ${times} restores`);
    }
    await delivered(db);
    report.check("disks lost and restored, and kills between", true, `${times}, ${killedAtMs.length}`);
    report.check(
      "orders acknowledged more than 60 s before, and lost",
      worst.late === 0,
      `${worst.late} of ${kept.size}`,
    );
    report.check(
      "age of the oldest acknowledged order that was lost",
      worst.lostMs <= rpoMs,
      `${Math.round(worst.lostMs / 1_000)} s`,
    );
    report.check(
      "webhooks repeated that were acknowledged more than 60 s before",
      worst.doubledLate === 0,
      worst.doubledLate,
    );
    report.check("longest restore", true, `${Math.round(worst.restoreMs / 1_000)} s`);
    await checkWebhooks(db, seen, report);
    await db.close();
  },
};

/** A connection to the embedded server, which does not keep it alive as its other users do. */
async function connectTo(stage: Stage): Promise<TestDatabase> {
  const [, , , port, socketDir = ""] = (
    await readFile(join(stage.dataDir(slot), "postgres/postmaster.pid"), "utf8")
  ).split("\n");
  const address = { socketDir, port: Number(port), user: "beatmarket", database: "beatmarket" };
  return connectForTest(address, { max: 2, applicationName: "faults" });
}

async function untilFirstBackup(stage: Stage, settings: Record<string, string>): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const listed = await stage
      .command<{ backups: unknown[] }>(slot, embedded, ["backup", "list"], settings)
      .catch(() => ({ backups: [] }));
    if (listed.backups.length > 0) return;
    await sleep(1_000);
  }
  throw new Error("The service made no base backup within a minute.");
}

/** Buys until it is stopped. Returns what was acknowledged. */
function orders({ address }: Program, { beats, key }: { beats: number[]; key: string }) {
  const acknowledged: Acknowledged[] = [];
  let isOver = false;
  const loops = Array.from({ length: buyers }, async () => {
    const client = new Client(address, key);
    while (!isOver) {
      const body = { beat_id: beats[randomInt(beats.length)] as number, payment_method: "pm_card_visa" };
      const reply = await client.order(body, randomUUID());
      if (reply.status === 201) acknowledged.push({ id: JSON.parse(reply.body).data.order.id, atMs: reply.endedMs });
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

/** Stores files and the rows that refer to them, as uploads do, until it is stopped. */
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

/** Nothing of the data folder is left, and nobody who could write it again. */
async function loseDisk(stage: Stage, server: Program): Promise<void> {
  const cluster = await realpath(join(stage.dataDir(slot), "postgres"));
  server.child.kill("SIGKILL");
  await server.ended;
  for (let left = serverProcesses(cluster); left.length > 0; left = serverProcesses(cluster)) {
    for (const pid of left) kill(pid);
    await sleep(20);
  }
  await rm(cluster, { recursive: true, force: true });
  await rm(stage.dataDir(slot), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

async function missing(db: TestDatabase, kept: ReadonlyMap<number, Acknowledged>): Promise<Acknowledged[]> {
  const rows = await db.driver<{ id: number }[]>`select id::int as id from orders where status = 'completed'`;
  const known = new Set(rows.map(({ id }) => id));
  return [...kept.values()].filter(({ id }) => !known.has(id));
}

async function checkConsistency(
  stage: Stage,
  db: TestDatabase,
  report: Report,
  settings: Record<string, string>,
  round: number,
): Promise<void> {
  const [counts] = await db.driver<{ doubled: number; events: number; ledger: number }[]>`
    select (count(idempotency_run) - count(distinct idempotency_run))::int as doubled,
      ((select count(*) from events where type = 'beat.purchased') - count(*) filter (where status = 'completed'))::int as events,
      (select coalesce(sum(amount_cents), 0)::int from ledger_entries) as ledger
    from orders`;
  report.check(
    `restore ${round}: doubled orders, orders without exactly one event, sum of the ledger`,
    counts?.doubled === 0 && counts.events === 0 && counts.ledger === 0,
    `${counts?.doubled}, ${counts?.events}, ${counts?.ledger}`,
  );
  const args = ["storage", "verify", "--checksums"];
  const { objects, findings } = await stage.command<{ objects: number; findings: { fault: string }[] }>(
    slot,
    embedded,
    args,
    settings,
  );
  // What is stored right now is none of the restore's.
  const faults = findings.filter(({ fault }) => fault !== "unknown");
  report.check(`restore ${round}: files missing or damaged`, faults.length === 0, `${faults.length} of ${objects}`);
}

/**
 * Events that came again after the disk was lost, and first came longer before it than the RPO; without those that a kill kept the
 * service from writing down.
 */
function doubledFromBefore(
  seen: ReadonlyMap<string, number[]>,
  lostAtMs: number,
  killedAtMs: readonly number[],
): number {
  const isUnnoted = (firstMs: number) => killedAtMs.some((at) => firstMs > at - unnotedMs && firstMs < at + unnotedMs);
  return [...seen.values()].filter(
    ([firstMs = 0, ...later]) => firstMs < lostAtMs - rpoMs && !isUnnoted(firstMs) && later.some((at) => at > lostAtMs),
  ).length;
}

async function delivered(db: TestDatabase): Promise<void> {
  await db.driver`update webhook_deliveries set leased_until = now() where state = 'sending'`;
  for (let attempt = 0; attempt < 240; attempt++) {
    const open = await db.driver`select 1 from webhook_deliveries where state <> 'succeeded' limit 1`;
    if (open.length === 0) return;
    await sleep(250);
  }
}

async function checkWebhooks(db: TestDatabase, seen: ReadonlyMap<string, number[]>, report: Report): Promise<void> {
  const rows = await db.driver<{ id: string }[]>`select id from events where type = 'beat.purchased'`;
  const undelivered = rows.filter(({ id }) => !seen.has(id)).length;
  report.check("events of restored orders that nobody received", undelivered === 0, `${undelivered} of ${rows.length}`);
  const repeated = [...seen.values()].filter((times) => times.length > 1).length;
  report.check("events received more than once", true, repeated);
}
