import { mkdtempSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { CatalogueIndex } from "@beatmarket/catalogue-index/catalogue-index.ts";
import { EarlyThread } from "@beatmarket/catalogue-index/early-thread.ts";
import type { ListQuery } from "@beatmarket/catalogue-index/query.ts";
import { testServerUrl } from "@beatmarket/postgres/testing/test-database.ts";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { CatalogueVersion } from "../../src/database/catalogue/catalogue-version.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { openTestDatabase, testDatabaseUrl } from "../harness/database/database.ts";
import { connectForTest, type TestDatabase } from "../harness/database/driver.ts";

/** The started threads, for the tests that end one of them. */
const { threads } = vi.hoisted(() => ({ threads: [] as Worker[] }));
vi.mock("node:worker_threads", async (load) => {
  const original = await load<typeof import("node:worker_threads")>();
  class RecordedWorker extends original.Worker {
    constructor(...parameters: ConstructorParameters<typeof original.Worker>) {
      super(...parameters);
      threads.push(this);
    }
  }
  return { ...original, Worker: RecordedWorker };
});

const url = await testDatabaseUrl();
const database = openTestDatabase(url);
const { driver } = database;
const ids = await insertBeats(
  database,
  Array.from({ length: 40 }, (_, n) => ({ title: `Beat ${n}`, producer: `Producer ${n % 5}`, priceCents: 1_000 + n })),
);

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));
function newDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "beatmarket-index-"));
  folders.push(folder);
  return folder;
}

interface Options {
  dataDir?: string;
  catalogue?: { current: number; isFollowed: boolean };
  on?: TestDatabase;
  snapshots?: { fromBeats: number; minAgeMs: number };
  buildWaitMs?: number;
  earlyThread?: EarlyThread;
}

/** Opens an index that is closed at the end of the test, and collects its log. */
async function openIndex({ dataDir = newDataDir(), catalogue, on = database, ...options }: Options = {}) {
  const logLines: string[] = [];
  const log = (...parameters: unknown[]) => logLines.push(String(parameters.at(-1)));
  const index = await CatalogueIndex.open({
    address: on.address,
    session: { applicationName: "beatmarket index", lastMigration: 1 },
    catalogue: catalogue ?? { current: 1, isFollowed: true },
    dataDir,
    log: { info: log, warn: log, error: log } as never,
    // Long enough for a busy machine. The test of a slow build sets a shorter limit.
    buildWaitMs: 60_000,
    ...options,
  });
  onTestFinished(() => index.close());
  return { index, logged: logLines, dataDir };
}

const cheapest = (limit: number): ListQuery => ({ filters: {}, sort: "price_asc", offset: 0, limit });
const withSnapshots = { fromBeats: 1, minAgeMs: 3_600_000 };

test("a result is never older than the catalogue version that is known at the time of the query", async () => {
  const catalogue = { current: 1, isFollowed: true };
  const { index } = await openIndex({ catalogue });
  const before = await index.list(cheapest(2));
  expect(before).toEqual({ ids: ids.slice(0, 3), keys: [1_000, 1_001, 1_002], total: 40 });
  await driver`update beats set is_listed = false where id = ${ids[0]}`;
  onTestFinished(async () => {
    await driver`update beats set is_listed = true where id = ${ids[0]}`;
  });
  // The index does not catch up, because no newer version is known yet.
  expect(await index.list(cheapest(2))).toEqual(before);
  catalogue.current++;
  const results = await Promise.all([index.list(cheapest(2)), index.list(cheapest(1))]);
  expect(results).toEqual([
    { ids: ids.slice(1, 4), keys: [1_001, 1_002, 1_003], total: 39 },
    { ids: ids.slice(1, 3), keys: [1_001, 1_002], total: 39 },
  ]);
});

test("an answer has the position of the newest change that it contains", async () => {
  const { index } = await openIndex();
  const [row] = await driver<{ newest: number }[]>`select max(position) as newest from catalogue_changes`;
  const answer = await index.ask({ list: cheapest(1) });
  expect(answer).toEqual({ position: row?.newest, result: { ids: ids.slice(0, 2), keys: [1_000, 1_001], total: 40 } });
  expect(index.state).toMatchObject({ isReady: true, beats: 40, position: row?.newest, builds: 1, crashes: 0 });
});

test("without notifications every query catches up", async () => {
  // Stands for a listener without a connection: the index must assume a newer change at each query.
  const catalogue = {
    isFollowed: false,
    version: 1,
    get current() {
      return ++this.version;
    },
  };
  const { index } = await openIndex({ catalogue: catalogue as never });
  await index.list(cheapest(1));
  await driver`update beats set price_cents = 1 where id = ${ids[7]}`;
  onTestFinished(async () => {
    await driver`update beats set price_cents = 1007 where id = ${ids[7]}`;
  });
  expect((await index.list(cheapest(1))).ids[0]).toBe(ids[7]);
});

test("several instances follow one database through its notifications", async () => {
  const versions = [new CatalogueVersion(), new CatalogueVersion()];
  const unfollow = await Promise.all(versions.map((version) => version.follow(database.listener)));
  onTestFinished(() => unfollow.forEach((stop) => void stop()));
  const instances = await Promise.all(versions.map((catalogue) => openIndex({ catalogue: catalogue as never })));
  await driver`update beats set price_cents = 2 where id = ${ids[9]}`;
  onTestFinished(async () => {
    await driver`update beats set price_cents = 1009 where id = ${ids[9]}`;
  });
  for (const { index } of instances) await expect.poll(async () => (await index.list(cheapest(1))).ids[0]).toBe(ids[9]);
});

test("the index catches up without queries", async () => {
  const catalogue = { current: 1, isFollowed: true };
  const { index } = await openIndex({ catalogue });
  const { position } = index.state;
  await driver`update beats set play_count = play_count + 1 where id = ${ids[3]}`;
  catalogue.current++;
  await expect.poll(() => index.state.position).toBeGreaterThan(position);
  await expect.poll(() => index.state.behindVersions).toBe(0);
});

test("when a thread crashes, waiting queries get 503, and the thread is restarted", async () => {
  const catalogue = { current: 1, isFollowed: true };
  const { index, logged: logLines } = await openIndex({ catalogue });
  // Blocks the catch-up, so that a query has to wait.
  const isLocked = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const locking = driver.begin(async (transaction) => {
    await transaction`lock table catalogue_changes in access exclusive mode`;
    isLocked.resolve();
    await mayEnd.promise;
  });
  await isLocked.promise;
  catalogue.current++;
  const waiting = index.list(cheapest(1));
  waiting.catch(() => {});
  await expect
    .poll(async () => {
      const [row] = await driver<{ waiting: number }[]>`
        select count(*) as waiting from pg_stat_activity
        where application_name like 'beatmarket index %' and wait_event_type = 'Lock' and datname = current_database()`;
      return row?.waiting;
    })
    .toBe(1);
  await threads.at(-1)?.terminate();
  await expect(waiting).rejects.toMatchObject({ status: 503, headers: { "retry-after": "2" } });
  expect(index.state).toMatchObject({ isReady: false, crashes: 1 });
  mayEnd.resolve();
  await locking;
  expect((await index.list(cheapest(1))).total).toBe(40);
  expect(logLines).toContainEqual(expect.stringMatching(/thread of the catalogue index crashed; starting it again/));
});

test("while the index cannot be built, queries get 503 after a time limit; it is built when the database is back", async () => {
  const isLocked = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const locking = driver.begin(async (transaction) => {
    await transaction`lock table beats in access exclusive mode`;
    isLocked.resolve();
    await mayEnd.promise;
  });
  await isLocked.promise;
  const { index } = await openIndex({ buildWaitMs: 50 });
  expect(index.state.isReady).toBe(false);
  await expect(index.list(cheapest(1))).rejects.toMatchObject({
    status: 503,
    details: expect.stringMatching(/index of the catalogue is being built/),
    headers: { "retry-after": "5" },
  });
  mayEnd.resolve();
  await locking;
  await expect.poll(() => index.state.isReady).toBe(true);
  expect((await index.list(cheapest(1))).total).toBe(40);
});

test("the index writes a snapshot at the end, and the next start applies only the later changes", async () => {
  const { index, dataDir } = await openIndex({ snapshots: withSnapshots });
  await index.close();
  await driver`update beats set price_cents = 3 where id = ${ids[11]}`;
  onTestFinished(async () => {
    await driver`update beats set price_cents = 1011 where id = ${ids[11]}`;
  });
  const { index: next, logged: logLines } = await openIndex({ dataDir, snapshots: withSnapshots });
  expect(await next.list(cheapest(1))).toMatchObject({ ids: [ids[11], ids[0]], total: 40 });
  expect(next.state).toMatchObject({ builds: 0, snapshotAgeSeconds: expect.any(Number) });
  expect(logLines).toContainEqual(expect.stringMatching(/40 beats of its snapshot and applied \d+ later changes/));
});

test("an index uses the thread that was started before it, with the snapshot of its data folder", async () => {
  const { index, dataDir } = await openIndex({ snapshots: withSnapshots });
  await index.close();
  const count = threads.length;
  const earlyThread = new EarlyThread(dataDir);
  const { index: next } = await openIndex({ dataDir, snapshots: withSnapshots, earlyThread });
  expect((await next.list(cheapest(1))).total).toBe(40);
  expect(next.state).toMatchObject({ builds: 0, crashes: 0 });
  await earlyThread.close();
  expect((await next.list(cheapest(2))).total).toBe(40);
  expect(threads).toHaveLength(count + 1);
});

test("if the thread that was started before the index has ended, the index starts another one", async () => {
  const dataDir = newDataDir();
  const earlyThread = new EarlyThread(dataDir);
  await threads.at(-1)?.terminate();
  const { index } = await openIndex({ dataDir, earlyThread });
  expect((await index.list(cheapest(1))).total).toBe(40);
  expect(index.state).toMatchObject({ builds: 1, crashes: 0 });
});

test("a damaged snapshot is reported, and the index is rebuilt", async () => {
  const { index, dataDir } = await openIndex({ snapshots: withSnapshots });
  await index.close();
  const file = join(dataDir, "catalogue-index/snapshot");
  const bytes = await readFile(file);
  bytes[bytes.length - 9] = (bytes[bytes.length - 9] as number) ^ 1;
  await writeFile(file, bytes);
  const { index: next, logged: logLines } = await openIndex({ dataDir, snapshots: withSnapshots });
  expect((await next.list(cheapest(1))).total).toBe(40);
  expect(next.state.builds).toBe(1);
  expect(logLines).toContainEqual(expect.stringMatching(/snapshot .* is not used, since its checksum is wrong/));
});

test("if no snapshot can be written, a warning is logged, and the index works without a snapshot", async () => {
  const dataDir = newDataDir();
  await writeFile(join(dataDir, "catalogue-index"), "in its way");
  const { index, logged: logLines } = await openIndex({ dataDir, snapshots: withSnapshots });
  expect((await index.list(cheapest(1))).total).toBe(40);
  await expect
    .poll(() => logLines)
    .toContainEqual(expect.stringMatching(/could not be written: .*going on without it/));
  expect((await index.list(cheapest(1))).total).toBe(40);
});

test("a database restored to an earlier time is detected during operation, and at a start from the snapshot", async () => {
  const indexUrl = await testDatabaseUrl();
  const name = new URL(indexUrl).pathname.slice(1);
  const before = openTestDatabase(indexUrl);
  const [beat] = await insertBeats(before, [{ title: "Before", priceCents: 1_000 }]);
  await before.close();
  const server = connectForTest({ url: await testServerUrl() }, { max: 1 });
  onTestFinished(() => server.close());
  const disconnect = () =>
    server.driver`select pg_terminate_backend(pid) from pg_stat_activity where datname in (${name}, ${`${name}_copy`})`;
  await server.driver.unsafe(`create database ${name}_copy template ${name}`);

  const restoredDatabase = openTestDatabase(indexUrl);
  const catalogue = { current: 1, isFollowed: true };
  const { index, logged: logLines } = await openIndex({ on: restoredDatabase, catalogue, snapshots: withSnapshots });
  await restoredDatabase.driver`update beats set price_cents = 5_000, title = 'After'`;
  catalogue.current++;
  expect((await index.list({ ...cheapest(1), filters: { priceCents: { min: 2_000 } } })).ids).toEqual([beat]);
  const { index: concurrent, dataDir } = await openIndex({ on: restoredDatabase, snapshots: withSnapshots });
  await concurrent.close();
  await restoredDatabase.close();
  await disconnect();
  await server.driver.unsafe(`alter database ${name} rename to ${name}_lost`);
  await server.driver.unsafe(`alter database ${name}_copy rename to ${name}`);

  catalogue.current++;
  const restored = { ids: [beat], keys: [1_000], total: 1 };
  await expect.poll(() => index.list(cheapest(1)).catch(() => null)).toEqual(restored);
  expect((await index.list({ ...cheapest(1), filters: { priceCents: { min: 2_000 } } })).total).toBe(0);
  expect(logLines).toContainEqual(expect.stringMatching(/rebuilt: the database was restored to an earlier time/));

  const { index: next, logged: nextLogged } = await openIndex({
    on: restoredDatabase,
    dataDir,
    snapshots: withSnapshots,
  });
  expect(await next.list(cheapest(1))).toEqual(restored);
  expect(nextLogged).toContainEqual(expect.stringMatching(/is not used, since it is of another database/));
});
