import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { openRoutes } from "@beatmarket/http/testing/routes.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { testDatabase } from "../../test/harness/database/database.ts";
import { healthRoutes } from "./health.ts";

it("many requests for /readyz query the database once a second", async () => {
  const { query } = await testDatabase();
  let queryCount = 0;
  const db = query.withPlugin({
    transformQuery: ({ node }) => {
      queryCount++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await sql`select 1`.execute(db);
  expect(queryCount).toBe(1);
  const clock = new FakeClock();
  const app = openRoutes(
    healthRoutes({
      db,
      clock,
      metrics: {} as never,
      metricsToken: undefined,
      isIndexReady: () => true,
      isStorageThere: async () => true,
      isStopping: () => false,
      sharedLimits: null,
    }),
  );
  const flood = async () => {
    const responses = await Promise.all(Array.from({ length: 500 }, () => app.inject("/readyz")));
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  };
  await flood();
  clock.advance(999);
  await flood();
  expect(queryCount).toBe(2);
  clock.advance(1);
  await flood();
  expect(queryCount).toBe(3);
});

it("/readyz is 503, but /healthz is not, until the catalogue index is built, while the storage is away, and while the server stops", async () => {
  const { query: db } = await testDatabase();
  let isIndexReady = false;
  let isStopping = false;
  let isStorageThere = true;
  const clock = new FakeClock();
  const app = openRoutes(
    healthRoutes({
      db,
      clock,
      metrics: {} as never,
      metricsToken: undefined,
      isIndexReady: () => isIndexReady,
      isStorageThere: async () => isStorageThere,
      isStopping: () => isStopping,
      sharedLimits: null,
    }),
  );
  const building = await app.inject("/readyz");
  expect([building.statusCode, building.headers["retry-after"], building.json()]).toEqual([
    503,
    "2",
    { status: "catalogue index being built" },
  ]);
  expect((await app.inject("/healthz")).statusCode).toBe(200);
  isIndexReady = true;
  expect((await app.inject("/readyz")).statusCode).toBe(200);
  isStorageThere = false;
  clock.advance(1_000);
  expect((await app.inject("/readyz")).json()).toEqual({ status: "storage away" });
  isStorageThere = true;
  clock.advance(1_000);
  expect((await app.inject("/readyz")).statusCode).toBe(200);
  isStopping = true;
  expect((await app.inject("/readyz")).json()).toEqual({ status: "stopping" });
  expect((await app.inject("/healthz")).statusCode).toBe(200);
});

it("/readyz says whether limits are shared, and is 200 while they are not", async () => {
  const { query: db } = await testDatabase();
  const sharedLimits = { problem: null as string | null };
  const app = openRoutes(
    healthRoutes({
      db,
      clock: new FakeClock(),
      metrics: {} as never,
      metricsToken: undefined,
      isIndexReady: () => true,
      isStorageThere: async () => true,
      isStopping: () => false,
      sharedLimits,
    }),
  );
  const ready = async () => {
    const { statusCode, body } = await app.inject("/readyz");
    return [statusCode, JSON.parse(body)];
  };
  expect(await ready()).toEqual([200, { status: "ready", limits: "shared" }]);
  sharedLimits.problem = "Redis cannot count: OOM";
  expect(await ready()).toEqual([200, { status: "ready", limits: "not shared: Redis cannot count: OOM" }]);
  sharedLimits.problem = "Redis is unreachable";
  expect(await ready()).toEqual([200, { status: "ready", limits: "not shared: Redis is unreachable" }]);
});
