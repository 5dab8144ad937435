import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { insertBeats } from "../harness/database/catalogue.ts";
import type { TestDatabase } from "../harness/database/driver.ts";
import { makeKey, type SignedInVisitor, type TestPortal, testPortal } from "../harness/portal.ts";
import { inSandbox, liftLimits, withTestMode } from "../harness/sandboxes.ts";

// Every operation of the API and every route of the portal that has a test half, called in each half with the ids of the
// other one. Texts of a half have its mark, and what a half stores is compared before and after.

const api = JSON.parse(readFileSync(new URL("../../../contract/openapi.json", import.meta.url), "utf8"));
type Operation = { method: string; path: string; body: unknown };
const operations: Operation[] = Object.entries(
  api.paths as Record<string, Record<string, { requestBody?: object }>>,
).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => ["get", "post", "put", "patch", "delete"].includes(method))
    .map(([method, operation]) => ({ method: method.toUpperCase(), path, body: exampleOf(operation.requestBody) })),
);

function exampleOf(body: object | undefined): unknown {
  const content = (body as { content?: Record<string, { example?: unknown; examples?: object }> } | undefined)?.content;
  const json = content?.["application/json"];
  return json?.example ?? (Object.values(json?.examples ?? {})[0] as { value?: unknown } | undefined)?.value;
}

const [liveMark, testMark] = ["Marked-as-live", "Marked-as-test"];
let portal: TestPortal;
let testMode: Awaited<ReturnType<typeof withTestMode>>;
let developer: SignedInVisitor;
const keys = { live: "", test: "" };
/** The id of the test half. */
let half = "";

const call = (key: string, method: string, url: string, payload?: unknown) =>
  portal.api.request({
    method: method as "GET",
    url,
    headers: { authorization: `Bearer ${key}` },
    ...(payload !== undefined && method !== "GET" && { payload: payload as object }),
  });

beforeAll(async () => {
  testMode = await withTestMode();
  portal = await testPortal(testMode);
  developer = await portal.signUp("crossing@example.com", liveMark);
  await insertBeats(portal.database, [
    { title: `${liveMark} one` },
    { title: `${liveMark} two`, producer: `${liveMark} producer` },
  ]);
  keys.live = (await makeKey(developer, { name: liveMark })).json().key;
  keys.test = (await makeKey(developer, { name: testMark }, { "x-mode": "test" })).json().key;
  half = keys.test.split("_")[2] ?? "";
  await liftLimits(testMode, keys.test);
  await portal.database.driver`update api_keys set plan = 'internal'`;
  for (const [key, mark] of [
    [keys.live, liveMark],
    [keys.test, testMark],
  ] as const) {
    const { beats } = (await call(key, "GET", "/v1/beats?limit=1")).json().data;
    const order = { beat_id: beats[0].id, license_type: "basic", payment_method: "pm_card_visa" };
    expect((await call(key, "POST", "/v1/orders", order)).statusCode).toBe(201);
    expect((await call(key, "POST", "/v1/playlists", { title: mark })).statusCode).toBe(201);
    expect((await call(key, "PUT", "/v1/users/profile", { bio: mark, location: mark })).statusCode).toBe(200);
  }
}, 120_000);

const tables = ["orders", "playlists", "favorites", "follows", "users", "checkouts", "uploads", "events", "beats"];

/** What a half stores, as one hash for each table. */
async function stored(driver: TestDatabase["driver"]): Promise<unknown> {
  const rows = [];
  for (const table of tables)
    rows.push(
      (
        await driver.unsafe(
          `select md5(coalesce(string_agg(t::text, '' order by t::text), '')) as hash from ${table} t`,
        )
      )[0],
    );
  return rows;
}
const storedInTest = () => inSandbox(testMode, half, (driver) => stored(driver));

/** Fills the parameters of a path with ids of the other half. */
const filled = (path: string, id: string): string => path.replaceAll(/\{(\w+)\}/g, () => encodeURIComponent(id));

describe.each([
  { of: "test", foreign: liveMark, ids: ["1", "2"] },
  { of: "live", foreign: testMark, ids: ["1000000001", "500"] },
] as const)("a call with the $of key", ({ of, foreign, ids }) => {
  test.each(operations)("$method $path shows and changes nothing of the other half", async ({ method, path, body }) => {
    const before = of === "test" ? await stored(portal.database.driver) : await storedInTest();
    for (const id of ids) {
      if (path.endsWith("/events") && method === "GET") continue;
      const response = await call(keys[of], method, `/v1${filled(path, id)}`, body);
      expect(response.statusCode, response.body).toBeLessThan(500);
      expect(response.body).not.toContain(foreign);
    }
    expect(of === "test" ? await stored(portal.database.driver) : await storedInTest()).toEqual(before);
  });
});

test("the marks are found in their own half, so the cases above can fail", async () => {
  for (const [key, mark] of [
    [keys.live, liveMark],
    [keys.test, testMark],
  ] as const)
    expect((await call(key, "GET", "/v1/playlists")).body).toContain(mark);
});

test.each(["/keys", "/calls?limit=5", "/calls/keys", "/webhooks/endpoints", "/library/orders", "/analytics"])(
  "the portal's %s shows each half alone",
  async (path) => {
    for (const [mode, foreign] of [
      ["test", liveMark],
      ["live", testMark],
    ] as const) {
      const headers = { cookie: developer.cookie(), "x-mode": mode };
      const response = await portal.api.request({ method: "GET", url: `/portal/api${path}`, headers });
      expect(response.statusCode, response.body).toBeLessThan(500);
      expect(response.body).not.toContain(foreign);
    }
  },
);

test("a link that one half has signed opens nothing in the other", async () => {
  const { orders } = (await call(keys.test, "GET", "/v1/orders")).json().data;
  const files = (await call(keys.test, "GET", `/v1/orders/${orders[0].id}/files`)).body;
  const links = [...files.matchAll(/https:\/\/[^"]+\/sandboxes\/[0-9a-z]{16}(\/[^"]+)/g)].map(([, path]) => path ?? "");
  for (const path of links) {
    const response = await portal.api.request({ method: "GET", url: path });
    expect(response.statusCode, path).toBeGreaterThanOrEqual(400);
  }
});
