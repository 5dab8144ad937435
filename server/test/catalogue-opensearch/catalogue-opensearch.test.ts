import { openEngine } from "@beatmarket/catalogue-index/engine/open-engine.ts";
import type { ListQuery, SearchQuery, SearchResult } from "@beatmarket/catalogue-index/query.ts";
import { Follower } from "@beatmarket/catalogue-index/worker/follower.ts";
import { SnapshotReader } from "@beatmarket/catalogue-index/worker/snapshot-reader.ts";
import { engineAddress } from "@beatmarket/catalogue-opensearch/address.ts";
import {
  CatalogueOpenSearch,
  type CatalogueOpenSearchParts,
} from "@beatmarket/catalogue-opensearch/catalogue-opensearch.ts";
import { removeAliases, switchTo } from "@beatmarket/catalogue-opensearch/cluster/aliases.ts";
import { Build } from "@beatmarket/catalogue-opensearch/cluster/build.ts";
import { Cluster } from "@beatmarket/catalogue-opensearch/cluster/cluster.ts";
import { shapeDigest } from "@beatmarket/catalogue-opensearch/cluster/documents.ts";
import { Engine } from "@beatmarket/catalogue-opensearch/engine.ts";
import { LostClaim, StateStore } from "@beatmarket/catalogue-opensearch/feed/state.ts";
import { type OpenSearchNode, startOpenSearch } from "@beatmarket/catalogue-opensearch/testing/opensearch-node.ts";
import { seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { CatalogueVersion } from "../../src/database/catalogue/catalogue-version.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { testDatabase } from "../harness/database/database.ts";

const patientMs = 120_000;

const database = await testDatabase();
const { driver } = database;
const ids = await insertBeats(
  database,
  Array.from({ length: 40 }, (_, n) => ({
    title: `Beat ${n}`,
    genre: `Genre ${n % 4}`,
    producer: `Producer ${n % 5}`,
    priceCents: 1_000 + n,
    tempo: 90 + n,
    popularity: n,
  })),
);

let node: OpenSearchNode;
let builds = 0;

beforeAll(async () => {
  node = await startOpenSearch();
}, patientMs);

afterAll(() => node.close());

const newPrefix = (): string => `test${builds++}`;

/** Opens the catalogue under a prefix. It is closed at the end of the test. */
async function open({ prefix = newPrefix(), ...parts }: Partial<CatalogueOpenSearchParts> & { prefix?: string } = {}) {
  const version = new CatalogueVersion();
  const unfollow = await version.follow(database.listener);
  const logLines: string[] = [];
  const log = (...parameters: unknown[]): void => void logLines.push(String(parameters.at(-1)));
  const catalogue = await CatalogueOpenSearch.open({
    engine: engineAddress(`opensearch://${node.host}/${prefix}`) ?? { nodes: [], prefix },
    address: database.address,
    session: { applicationName: "beatmarket index", lastMigration: 1 },
    catalogue: version,
    log: { info: log, warn: log, error: log } as never,
    buildWaitMs: patientMs,
    ...parts,
  });
  onTestFinished(async () => {
    unfollow();
    await catalogue.close();
  });
  return { catalogue, version, logged: logLines, prefix };
}

/** A new client, which is closed at the end of the test. */
function clusterOf(prefix: string): Cluster {
  const cluster = new Cluster({ nodes: [`http://${node.host}`], prefix });
  onTestFinished(() => cluster.close());
  return cluster;
}

const noChange = { beats: [], goneBeats: [], producers: [], goneProducers: [], genres: [], goneGenres: [] };
const beatOfTest = {
  title: "Late",
  tags: [],
  producerId: 1,
  genreId: 1,
  tempo: 90,
  keyCode: 0,
  durationSeconds: 60,
  createdAtMicroseconds: 0,
  popularityKey: 0,
  availableLicenses: 1,
};

const patience = { timeout: patientMs, interval: 50 };

const cheapest = (limit: number): ListQuery => ({ filters: {}, sort: "price_asc", offset: 0, limit });
const words = (text: string): SearchQuery => ({
  text,
  kinds: ["beats", "producers"],
  interpret: true,
  filters: {},
  offset: 0,
  limit: 50,
});

/** The index in memory, built from the current rows. */
async function inMemory() {
  const reader = new SnapshotReader(database.address, { applicationName: "beatmarket index", lastMigration: 1 });
  const engine = openEngine();
  await Follower.build(reader, engine, () => {});
  reader.close();
  return engine;
}

/**
 * Sorts the hits. The order of producers among beats depends on popularity, which a search may read some seconds late.
 */
const withSortedHits = (result: SearchResult) => ({
  ...result,
  hits: result.hits.toSorted((a, b) => a.kind.localeCompare(b.kind) || a.id - b.id),
});

/** Compares pages in four orders, and searches, with the results of an index of the current rows. */
async function expectCurrent(catalogue: CatalogueOpenSearch): Promise<void> {
  const memory = await inMemory();
  for (const sort of ["newest", "popular", "price_asc", "bpm_desc"] as const) {
    const query: ListQuery = {
      filters: {},
      sort,
      offset: 0,
      limit: 100,
      facets: ["genre", "price", "bpm", "key", "tag"],
    };
    expect(await catalogue.list(query)).toEqual(memory.list(query));
  }
  for (const text of ["beat 7", "producer", "genre 2", "renamed", "someone"])
    expect(withSortedHits(await catalogue.search(words(text))), text).toEqual(
      withSortedHits(memory.search(words(text))),
    );
}

test("a query after a write includes the write, on every instance", async () => {
  const firstProcess = await open();
  const secondProcess = await open({ prefix: firstProcess.prefix });
  expect(await firstProcess.catalogue.list(cheapest(1))).toEqual({
    ids: ids.slice(0, 2),
    keys: [1_000, 1_001],
    total: 40,
  });
  await driver`update beats set is_listed = false where id = ${ids[0]}`;
  onTestFinished(async () => {
    await driver`update beats set is_listed = true where id = ${ids[0]}`;
  });
  for (const { catalogue, version } of [firstProcess, secondProcess]) {
    version.bump();
    expect(await catalogue.list(cheapest(1))).toEqual({ ids: ids.slice(1, 3), keys: [1_001, 1_002], total: 39 });
  }
});

test(
  "the results equal those of an index of the current rows after any changes of beats, producers and genres",
  async () => {
    const { catalogue, version } = await open();
    const random = seededRandom(20261128);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    const changes = [
      () => driver`update beats set price_cents = ${1_000 + Math.floor(random() * 99)} where id = ${pick(ids)}`,
      () =>
        driver`update beats set title = ${pick(["Renamed", "Beat 7", "東京"])}, tags = ${pick([["dark"], ["dark", "808"], []])} where id = ${pick(ids)}`,
      () => driver`update beats set is_listed = not is_listed where id = ${pick(ids)}`,
      () => driver`update beats set play_count = play_count + 5 where id = ${pick(ids)}`,
      () =>
        driver`update users set display_name = ${`Someone ${Math.floor(random() * 99)}`} where id = (select user_id from beats where id = ${pick(ids)})`,
      () =>
        driver`update genres set name = ${`Renamed ${Math.floor(random() * 9_999)}`} where id = (select genre_id from beats where id = ${pick(ids)})`,
      () =>
        driver`update beats set user_id = (select user_id from beats where id = ${pick(ids)}) where id = ${pick(ids)}`,
    ];
    for (let round = 0; round < 8; round++) {
      for (let count = 0; count < 4; count++) await pick(changes)();
      version.bumpAll();
      await expectCurrent(catalogue);
    }
  },
  patientMs,
);

test("a build on request replaces the indices while queries continue", async () => {
  const { catalogue, prefix, version } = await open();
  const cluster = clusterOf(prefix);
  const store = new StateStore(cluster);
  const before = await store.read();
  await store.requestBuild("anew");
  await expect
    .poll(async () => {
      version.bump();
      await catalogue.list(cheapest(1));
      return (await store.read())?.build;
    }, patience)
    .not.toBe(before?.build);
  await expectCurrent(catalogue);
  // The earlier indices do not exist any more.
  await expect
    .poll(async () => Object.keys(await cluster.request<object>("GET", `/${prefix}-beats-*`)).length, patience)
    .toBe(1);
});

test("a change stream without the last change causes a new build, and no query returns old results during it", async () => {
  const { catalogue, prefix, version, logged: logLines } = await open();
  const store = new StateStore(clusterOf(prefix));
  const state = await store.read();
  if (state === null) throw new Error("There is no build.");
  await catalogue.close();
  // The position of a different history.
  await store.claim();
  await store.write({ ...state, place: { ...state.place, rowId: state.place.rowId + 1_000 } });
  const reopened = await open({ prefix });
  await expect
    .poll(async () => {
      version.bump();
      return (await store.read())?.build ?? state.build;
    }, patience)
    .not.toBe(state.build);
  await expectCurrent(reopened.catalogue);
  expect([...logLines, ...reopened.logged]).toContainEqual(
    expect.stringMatching(/is built again: the database was restored/),
  );
});

test("a process that lost the lock without noticing cannot overwrite the work of the next process", async () => {
  const prefix = newPrefix();
  const cluster = clusterOf(prefix);
  const lateStore = new StateStore(cluster);
  await lateStore.claim();
  const unfinished = new Build(cluster, `${shapeDigest}-late`);
  await unfinished.create(1);
  const { catalogue, version, logged: logLines } = await open({ prefix });
  const state = await lateStore.read();
  if (state === null) throw new Error("There is no build.");
  await expect(lateStore.write({ ...state, place: { ...state.place, position: 1 } })).rejects.toThrow(LostClaim);
  await expect(lateStore.write(null)).rejects.toThrow(LostClaim);
  expect(await lateStore.read()).toEqual(state);
  // The unfinished build was removed, so a delayed switch to it fails.
  await expect(switchTo(cluster, unfinished)).rejects.toThrow();
  await expectCurrent(catalogue);
  // A delayed removal of the aliases is reversed.
  await removeAliases(cluster);
  await expect.poll(async () => catalogue.list(cheapest(1)).catch(() => null), patience).not.toBe(null);
  expect(logLines).toContain("the aliases of the catalogue in OpenSearch pointed to another build, and were corrected");
  // A process that claims the state although another one has the lock loses the claim again.
  await lateStore.claim();
  await driver`update beats set price_cents = 7 where id = ${ids[10]}`;
  onTestFinished(async () => {
    await driver`update beats set price_cents = 1010 where id = ${ids[10]}`;
  });
  version.bump();
  await expectCurrent(catalogue);
  await expect(lateStore.write(state)).rejects.toThrow(LostClaim);
});

test("a position whose write failed is written again, without another change", async () => {
  const { catalogue, version } = await open();
  const write = vi.spyOn(StateStore.prototype, "write").mockRejectedValueOnce(new Error("The disk is full."));
  onTestFinished(() => write.mockRestore());
  await driver`update beats set play_count = play_count + 1 where id = ${ids[10]}`;
  version.bump();
  await catalogue.list(cheapest(1));
  expect(write.mock.settledResults.map(({ type }) => type)).toEqual(["rejected", "fulfilled"]);
});

test("a write whose response was lost is not taken for another process's write", async () => {
  const cluster = clusterOf(newPrefix());
  const store = new StateStore(cluster);
  await store.claim();
  const state = {
    build: "one",
    place: { position: 5, rowId: 9, changedAt: "2027-01-01T00:00:00Z", count: 1 },
    builtAtMs: 1,
    request: null,
  };
  const lossy = vi.spyOn(cluster, "request").mockImplementationOnce(async (...parameters) => {
    lossy.mockRestore();
    await cluster.request(...parameters);
    throw new Error("The response was lost.");
  });
  await expect(store.write(state)).rejects.toThrow("lost");
  await store.write({ ...state, build: "two" });
  expect((await store.read())?.build).toBe("two");
});

test("a late write of an earlier state does not replace a later state, and does not restore a deleted beat", async () => {
  const cluster = clusterOf(newPrefix());
  const build = new Build(cluster, "late");
  await build.create(1);
  const beat = { ...beatOfTest, id: 7, priceCents: 2_000 };
  const names = new Map();
  await build.write({ ...noChange, beats: [beat], goneBeats: [8] }, 20, names);
  await build.write(
    {
      ...noChange,
      beats: [
        { ...beat, priceCents: 1_000 },
        { ...beat, id: 8 },
      ],
    },
    10,
    names,
  );
  await build.refresh();
  const engine = new Engine(cluster, (kind) => build.index(kind));
  expect(await engine.list(cheapest(5))).toEqual({ ids: [7], keys: [2_000], total: 1 });
});

test(
  "while OpenSearch is down, queries get 503 with the reason; when it works again, the catalogue catches up by itself",
  async () => {
    const { catalogue, prefix, version, logged: logLines } = await open();
    await expectCurrent(catalogue);
    const port = Number(node.host.split(":")[1]);
    await node.kill();
    await expect(catalogue.list(cheapest(1))).rejects.toMatchObject({
      status: 503,
      details: "OpenSearch, which finds beats, does not respond. Try again in 5 seconds.",
      refusedBy: "index",
    });
    await driver`update beats set price_cents = 5 where id = ${ids[20]}`;
    onTestFinished(async () => {
      await driver`update beats set price_cents = 1020 where id = ${ids[20]}`;
    });
    version.bump();
    await expect.poll(() => catalogue.state.isReady, patience).toBe(false);
    // Requests without a list or search still succeed.
    expect(catalogue.isStarted).toBe(true);
    node = await startOpenSearch({ home: node.home, port });
    await expect.poll(() => catalogue.state.isReady, patience).toBe(true);
    expect((await catalogue.list(cheapest(1))).keys[0]).toBe(5);
    await expectCurrent(catalogue);
    expect(logLines).toContain("OpenSearch responds again");
    // A server that starts while OpenSearch is down uses the existing build.
    const store = new StateStore(clusterOf(prefix));
    const built = (await store.read())?.build;
    await catalogue.close();
    await node.kill();
    const next = await open({ prefix, buildWaitMs: 10 });
    expect(next.catalogue.isStarted).toBe(false);
    node = await startOpenSearch({ home: node.home, port });
    await expect.poll(() => next.catalogue.isStarted, patience).toBe(true);
    await expectCurrent(next.catalogue);
    expect((await store.read())?.build).toBe(built);
  },
  2 * patientMs,
);
