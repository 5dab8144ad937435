import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { tcpProxy } from "@beatmarket/foundation/testing/tcp-proxy.ts";
import { Replica } from "@beatmarket/postgres/connection/replica.ts";
import pino from "pino";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { CatalogueVersion } from "../../src/database/catalogue/catalogue-version.ts";
import { migrateSchema, replicaSession } from "../../src/database/connect.ts";
import { testApi } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { testDatabase } from "../harness/database/database.ts";
import { connectForTest, type TestDatabase } from "../harness/database/driver.ts";
import { replicatedServer } from "../processes/replicated-server.ts";

const { primaryUrl, replica } = await replicatedServer();
const proxy = await tcpProxy(replica.url);
const database = connectForTest({ url: primaryUrl }, { max: 5, applicationName: "beatmarket test" });
afterAll(() => database.close());
await migrateSchema(database);
// Enough rows that the index finds a page through anchors.
const beats = Array.from({ length: 700 }, (_, index) => ({
  title: `Beat ${index}`,
  createdAt: "2026-01-01T00:00:00Z",
}));
const [beatId = 0] = await insertBeats(database, beats);

const logged: string[] = [];
const logger = pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
const api = await testApi({ database, databaseReplicaUrl: proxy.url, logger });

async function metric(name: string): Promise<number> {
  const { body } = await api.request({ url: "/metrics" });
  const line = body.split("\n").find((text) => text.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}
const readsOn = (server: "primary" | "replica") => metric(`beatmarket_catalogue_reads_total{server="${server}"}`);
const isUsed = () => metric("beatmarket_replica_used");

let pages = 0;
/** A page that was not requested before, so that its response is not cached. */
const unkeptPage = () => api.get(`/v1/beats?limit=2&page=${++pages}`);

/** Reads until the replica serves one read. */
const untilReplicaIsRead = () =>
  expect
    .poll(async () => {
      const before = await readsOn("replica");
      expect((await unkeptPage()).statusCode).toBe(200);
      return (await readsOn("replica")) - before;
    })
    .toBe(1);

const pause = () => replica.sql("select pg_wal_replay_pause()");
const resume = () => replica.sql("select pg_wal_replay_resume()");
const newestTitle = async () => (await api.get("/v1/beats?limit=1")).json().data.beats[0].title;

describe("an API with a replica", () => {
  beforeEach(untilReplicaIsRead);

  it.each([
    "/v1/beats?sort=popular",
    "/v1/beats?limit=1&page=690",
    `/v1/beats/${beatId}`,
    `/v1/beats/${beatId}/similar`,
    "/v1/users/1",
    "/v1/producers",
    "/v1/genres",
    "/v1/search?q=beat",
    "/v1/search?q=beet",
  ])("reads GET %s from the replica", async (url) => {
    const before = [await readsOn("primary"), await readsOn("replica")];
    expect((await api.get(url)).statusCode).toBe(200);
    expect([await readsOn("primary"), await readsOn("replica")]).toEqual([before[0], (before[1] ?? 0) + 1]);
  });

  it("shows the replica's state while no later write is known", async () => {
    await pause();
    // A change without a notification, which no real program causes.
    await database.driver.begin(async (sql) => {
      await sql`set local session_replication_role = replica`;
      await sql`update beats set title = 'Untold' where id = ${beatId}`;
    });
    expect((await api.get(`/v1/beats/${beatId}?`)).json().data.beat.title).toBe("Beat 0");
    await resume();
  });

  it("shows a write at once on the same instance, at any replication lag", async () => {
    await pause();
    for (const bio of ["First.", "Second."]) {
      const response = await api.request({
        method: "PUT",
        url: "/v1/users/profile",
        headers: { authorization: `Bearer ${api.key}` },
        payload: { bio },
      });
      expect(response.statusCode).toBe(200);
      expect((await api.get(`/v1/users/${api.userId}`)).json().data.user.bio).toBe(bio);
    }
    await resume();
    await untilReplicaIsRead();
    expect((await api.get(`/v1/users/${api.userId}?`)).json().data.user.bio).toBe("Second.");
  });

  it("shows an order at once to its buyer", async () => {
    await pause();
    const order = await api.request({
      method: "POST",
      url: "/v1/orders",
      headers: { authorization: `Bearer ${api.key}` },
      payload: { beat_id: beatId, payment_method: "pm_card_visa" },
    });
    expect(order.statusCode).toBe(201);
    const { id } = order.json().data.order;
    expect((await api.get(`/v1/orders/${id}`)).json().data.order.status).toBe("completed");
    expect((await api.get("/v1/orders")).json().data.orders[0].id).toBe(id);
    await resume();
  });

  it("shows the writes of other instances, and serves no response that was cached before them", async () => {
    await newestTitle();
    await pause();
    await insertBeats(database, [{ title: "By another process", createdAt: "2026-01-02T00:00:00Z" }]);
    await expect.poll(newestTitle).toBe("By another process");
    await resume();
    await untilReplicaIsRead();
    expect(await newestTitle()).toBe("By another process");
  });

  it("does not use a lagging replica, logs that, and uses the replica again later", async () => {
    await pause();
    await insertBeats(database, [{ title: "Ahead", createdAt: "2026-01-03T00:00:00Z" }]);
    await expect.poll(isUsed).toBe(0);
    expect(logged.at(-1)).toContain("more than 1000 ms behind the primary");
    expect(await metric("beatmarket_replica_behind_bytes")).toBeGreaterThan(0);
    expect(await newestTitle()).toBe("Ahead");
    await resume();
    await expect.poll(isUsed).toBe(1);
    expect(logged.at(-1)).toBe("the replica is read again");
    expect(await metric("beatmarket_replica_behind_bytes")).toBe(0);
  });

  it("serves every call when the replica is killed, and uses the replica again later", async () => {
    const killed = replica.kill();
    for (let call = 0; call < 50; call++) expect((await unkeptPage()).statusCode).toBe(200);
    await killed;
    await expect.poll(isUsed).toBe(0);
    expect((await api.request({ url: "/readyz" })).statusCode).toBe(200);
    const read = await readsOn("replica");
    expect((await unkeptPage()).statusCode).toBe(200);
    expect(await readsOn("replica")).toBe(read);
    await replica.start();
    await expect.poll(isUsed).toBe(1);
  });

  it("serves the calls that wait for a replica that stops responding", async () => {
    proxy.freeze();
    const read = await readsOn("replica");
    const waiting = await Promise.all([
      unkeptPage(),
      api.get("/v1/search?q=vanished"),
      api.get("/v1/producers?page=2"),
    ]);
    expect(waiting.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(await readsOn("replica")).toBe(read + 3);
    await expect.poll(isUsed).toBe(0);
    expect(logged.at(-1)).toContain("does not answer within 1000 ms");
    proxy.resume();
  });
});

describe("DATABASE_REPLICA_URL", () => {
  const start = async (url: string, primary: TestDatabase = database): Promise<Replica> => {
    const openedReplica = new Replica({
      url,
      session: replicaSession,
      primary,
      version: new CatalogueVersion(),
      log: logger,
    });
    await openedReplica.start();
    return openedReplica;
  };
  const otherDatabase = (url: string): string => Object.assign(new URL(url), { pathname: "/postgres" }).href;
  const isRefused = async (starting: Promise<Replica>, sentence: string) => {
    await expect(starting).rejects.toThrow(OperatorError);
    await expect(starting).rejects.toThrow(`DATABASE_REPLICA_URL cannot be used: ${sentence}`);
  };

  it("is refused at start when it names the primary", () =>
    isRefused(start(primaryUrl), "it is a primary, not a standby"));

  it("is refused at start when it names another database", () =>
    isRefused(start(otherDatabase(replica.url)), "it names another database than DATABASE_URL."));

  it("is refused at start when it names a replica of another cluster", async () =>
    isRefused(start(replica.url, await testDatabase()), "it belongs to another cluster than DATABASE_URL."));

  it("may name an unreachable server, which is logged", async () => {
    const away = await tcpProxy(replica.url);
    away.cut();
    const startedReplica = await start(away.url);
    expect(startedReplica.isLeftOut).toBe(true);
    expect(startedReplica.current()).toBeNull();
    expect(logged.at(-1)).toContain("the replica is left out, and the primary read instead");
    away.resume();
    await expect.poll(() => startedReplica.current()).not.toBeNull();
    await startedReplica.close();
  });

  it("is no longer used after a promotion of its server", async () => {
    await untilReplicaIsRead();
    await replica.sql("select pg_promote()");
    await expect.poll(isUsed).toBe(0);
    await expect.poll(() => logged.at(-1)).toContain("it is a primary, not a standby");
    expect((await unkeptPage()).statusCode).toBe(200);
  });
});
