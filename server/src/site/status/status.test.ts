import { tmpdir } from "node:os";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { openRoutes } from "@beatmarket/http/testing/routes.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoragePresence } from "@beatmarket/storage/presence.ts";
import pino from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { testApi } from "../../../test/harness/api.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { StatusWatch } from "../../metrics/status-watch.ts";
import { statusRoutes } from "./routes.ts";

const database = await testDatabase();
let clock: FakeClock;
let brokenParts: Set<string>;
let app: ReturnType<typeof openRoutes>;

const db = database.query.withPlugin({
  transformQuery: ({ node }) => {
    if (brokenParts.has("database")) throw new Error("connection refused");
    return node;
  },
  transformResult: async ({ result }) => result,
});

const never = () => new Promise<void>(() => {});
/** The failures of the storage, by name. */
const storageFaults: Record<string, () => Promise<void>> = {
  "an unreachable storage": () => Promise.reject(new Error("connect ECONNREFUSED")),
  "a storage that hangs": never,
};
const objects = {
  requirePlace: () => {
    const fault = Object.keys(storageFaults).find((name) => brokenParts.has(name));
    return storageFaults[fault ?? ""]?.() ?? Promise.resolve();
  },
};

/** The dependencies of the watch. A test can break each of them. */
const parts = () => ({
  db,
  clock,
  isIndexReady: () => !brokenParts.has("index"),
  storagePresence: new StoragePresence({ objects, log: pino({ level: "silent" }), timeoutMs: 20 }),
  isDiskFull: async () => brokenParts.has("disk"),
  paymentProvider: {
    isFailing: async () => brokenParts.has("payments"),
  },
  sharedLimits: {
    get problem() {
      return brokenParts.has("limits") ? "connection refused" : null;
    },
  },
  deliveryQueue: {
    get state() {
      return { lateSeconds: brokenParts.has("deliveries") ? 61 : 60 };
    },
  },
  mediaQueue: {
    get state() {
      return { oldestSeconds: brokenParts.has("media") ? 601 : 600 };
    },
  },
});

beforeEach(() => {
  clock = new FakeClock();
  brokenParts = new Set();
  const watch = new StatusWatch(parts());
  app = openRoutes(statusRoutes({ site: "Beat Marketplace", publicUrl: "https://beats.example.com", watch }));
});

const readStatusFile = async (name: string) => (await app.inject({ url: `/api/v2/${name}.json` })).json();
const statusesOf = async () =>
  Object.fromEntries(
    ((await readStatusFile("components")).components as { id: string; status: string }[]).map(({ id, status }) => [
      id,
      status,
    ]),
  );

describe("each fault is shown within two seconds, and so is its end", () => {
  test.each([
    ["database", "critical", { api: "major_outage", webhooks: "major_outage" }],
    ["an unreachable storage", "major", { payments: "major_outage", files: "major_outage", uploads: "major_outage" }],
    ["disk", "major", { uploads: "major_outage", files: "operational", payments: "operational" }],
    ["payments", "major", { payments: "major_outage", files: "operational" }],
    ["index", "major", { catalogue: "major_outage", api: "operational" }],
    ["limits", "minor", { api: "degraded_performance" }],
    ["deliveries", "minor", { webhooks: "degraded_performance", api: "operational" }],
    ["media", "minor", { uploads: "degraded_performance", files: "operational" }],
  ])("%s", async (fault, indicator, components) => {
    expect((await readStatusFile("status")).status).toEqual({
      indicator: "none",
      description: "All Systems Operational",
    });
    brokenParts.add(fault);
    clock.advance(2_000);
    expect((await readStatusFile("status")).status.indicator).toBe(indicator);
    expect(await statusesOf()).toMatchObject(components);
    expect((await readStatusFile("summary")).incidents).toMatchObject([{ status: "investigating", resolved_at: null }]);
    brokenParts.delete(fault);
    clock.advance(2_000);
    expect((await readStatusFile("status")).status.indicator).toBe("none");
    expect((await readStatusFile("summary")).incidents).toEqual([]);
    expect((await readStatusFile("incidents")).incidents).toMatchObject([
      { status: "resolved", incident_updates: [{}, {}] },
    ]);
  });
});

test("a storage that does not respond is shown after the next check", async () => {
  brokenParts.add("a storage that hangs");
  await readStatusFile("status");
  clock.advance(2_000);
  expect(await statusesOf()).toMatchObject({ payments: "major_outage", files: "major_outage", api: "operational" });
});

test("a fault that lasts is one incident", async () => {
  brokenParts.add("an unreachable storage");
  for (let looks = 0; looks < 5; looks++) {
    clock.advance(5_000);
    await readStatusFile("status");
  }
  expect((await readStatusFile("incidents")).incidents).toHaveLength(1);
});

test("concurrent readers share one run of the queries", async () => {
  let queries = 0;
  const watch = new StatusWatch({
    ...parts(),
    db: database.query.withPlugin({
      transformQuery: ({ node }) => {
        queries++;
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
  });
  await Promise.all(Array.from({ length: 50 }, () => watch.check()));
  expect(queries).toBe(1);
});

test("the page and the feed show the incident, even if the database is unreachable", async () => {
  brokenParts.add("database");
  const page = await app.inject({ url: "/status" });
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain("Major Service Outage");
  expect(page.body).toContain("The database is out of reach");
  expect(page.headers.refresh).toBe("10");
  const feed = await app.inject({ url: "/status.atom" });
  expect(feed.headers["content-type"]).toContain("application/atom+xml");
  expect(feed.body).toContain("<title>The database is out of reach</title>");
});

test("the server shows the status to anyone, including the fault of an unreachable storage", async () => {
  class UnreachableStorage extends FolderStorage {
    override requirePlace = storageFaults["an unreachable storage"] as () => Promise<void>;
  }
  const api = await testApi({ clock, storage: new UnreachableStorage(tmpdir()) });
  for (const path of ["/status", "/status.atom", "/api/v2/status.json", "/api/v2/summary.json"])
    expect((await api.get(path, { key: null })).statusCode, path).toBe(200);
  const { components } = (await api.get("/api/v2/components.json", { key: null })).json();
  expect(components).toContainEqual(expect.objectContaining({ id: "files", status: "major_outage" }));
});
