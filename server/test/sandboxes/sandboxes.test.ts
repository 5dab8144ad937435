import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { makeKey, type TestPortal, testPortal } from "../harness/portal.ts";
import { inSandbox, liftLimits, withTestMode } from "../harness/sandboxes.ts";

let portal: TestPortal;
let testKey: string;
let liveKey: string;
let testMode: Awaited<ReturnType<typeof withTestMode>>;

beforeAll(async () => {
  testMode = await withTestMode();
  portal = await testPortal(testMode);
  const developer = await portal.signUp();
  liveKey = (await makeKey(developer)).json().key;
  testKey = (await makeKey(developer, {}, { "x-mode": "test" })).json().key;
  await liftLimits(testMode, testKey);
}, 120_000);

type Method = "GET" | "POST" | "DELETE" | "PUT";
const call = (key: string, method: Method, url: string, payload?: object) =>
  portal.api.request({ method, url, headers: { authorization: `Bearer ${key}` }, ...(payload && { payload }) });
const manage = async (method: Method, path = "", payload?: object) =>
  call(testKey, method, `/v1/test/sandboxes${path}`, payload);
const create = async (seed: string, catalogue = "demo") => {
  const response = await manage("POST", "", { seed, catalogue });
  expect(response.statusCode, response.body).toBe(201);
  return response.json().data.sandbox as { id: string; api_key: string; now: string };
};
const drop = (...sandboxes: { id: string }[]) => Promise.all(sandboxes.map(({ id }) => manage("DELETE", `/${id}`)));

/** The SHA-256 of the catalogue and of the event log, without the sandbox's own address. */
async function fingerprint({ id, api_key }: { id: string; api_key: string }): Promise<string> {
  const texts: string[] = [];
  for (let after = ""; ; ) {
    const page = (await call(api_key, "GET", `/v1/events?limit=100${after}`)).json().data;
    texts.push(JSON.stringify(page.events));
    if (page.events.length === 0 || page.has_more === false) break;
    after = `&after=${page.last_id ?? page.next ?? page.events.at(-1).id}`;
  }
  for (let page = 1; page <= 3; page++)
    texts.push((await call(api_key, "GET", `/v1/beats?limit=100&page=${page}`)).body);
  texts.push((await call(api_key, "GET", "/v1/orders")).body);
  return createHash("sha256").update(texts.join("\n").replaceAll(id, "ID")).digest("hex");
}

describe("a sandbox", () => {
  test("has its own time, which stands still until it is advanced", async () => {
    const sandbox = await create("time", "empty");
    expect(sandbox.now).toBe("2026-01-01T00:00:00.000Z");
    const advanced = (await manage("POST", `/${sandbox.id}/advance`, { by: "P90DT1H" })).json().data.advance;
    expect(advanced).toMatchObject({ is_complete: true, remaining: "PT0S" });
    expect(advanced.sandbox.now).toBe("2026-04-01T01:00:00.000Z");
    expect((await manage("GET", `/${sandbox.id}`)).json().data.sandbox.now).toBe("2026-04-01T01:00:00.000Z");
    await drop(sandbox);
  });

  test("is the same for the same seed and calls, byte by byte, and another one for another seed", async () => {
    const sandboxes = [await create("seven"), await create("seven"), await create("eight")];
    const prints = [];
    for (const sandbox of sandboxes) {
      const { beats } = (await call(sandbox.api_key, "GET", "/v1/beats?limit=1&sort=oldest")).json().data ?? {};
      const beatId = beats?.[0]?.id ?? 1;
      const bought = { beat_id: beatId, license_type: "basic", payment_method: "pm_card_visa" };
      const order = await call(sandbox.api_key, "POST", "/v1/orders", bought);
      expect(order.statusCode, order.body).toBe(201);
      const advanced = await manage("POST", `/${sandbox.id}/advance`, { by: "P5D", orders_per_day: 6 });
      expect(advanced.json().data.advance.orders).toBeGreaterThan(10);
      prints.push(await fingerprint(sandbox));
    }
    expect(prints[0]).toBe(prints[1]);
    expect(prints[2]).not.toBe(prints[0]);
    await drop(...sandboxes);
  }, 240_000);

  test("retries webhooks in its time while receivers are down, and delivers after it", async () => {
    const response = await manage("POST", "", { seed: "hooks", webhook_url: "https://receiver.example/hooks" });
    const sandbox = response.json().data.sandbox;
    expect(sandbox.webhook_secret).toMatch(/^whsec_/);
    const faults = [{ receiver: "down", from: "PT0S", to: "PT12H" }];
    const body = { by: "P2D", orders_per_day: 6, faults };
    expect((await manage("POST", `/${sandbox.id}/advance`, body)).json().data.advance.is_complete).toBe(true);
    const deliveries = await inSandbox(
      testMode,
      sandbox.id,
      (driver) => driver`
      select state, attempts, created_at < '2026-01-01T12:00:00Z' as early from webhook_deliveries
      where type = 'beat.purchased' and created_at < '2026-01-02T20:00:00Z'`,
    );
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(["succeeded"]));
    const early = deliveries.filter((delivery) => delivery.early);
    expect(early.length).toBeGreaterThan(0);
    for (const { attempts } of early) expect(attempts).toBeGreaterThan(1);
    await drop(sandbox);
  }, 120_000);

  test("is copied by a fork with its time and data, and then goes its own way", async () => {
    const sandbox = await create("fork", "empty");
    await manage("POST", `/${sandbox.id}/advance`, { by: "P1D" });
    const fork = (await manage("POST", `/${sandbox.id}/fork`)).json().data.sandbox;
    expect(fork).toMatchObject({ now: "2026-01-02T00:00:00.000Z", seed: "fork" });
    expect((await call(fork.api_key, "GET", "/v1/genres")).statusCode).toBe(200);
    await manage("POST", `/${fork.id}/advance`, { by: "P1D" });
    expect((await manage("GET", `/${sandbox.id}`)).json().data.sandbox.now).toBe("2026-01-02T00:00:00.000Z");
    await drop(sandbox, fork);
  }, 120_000);

  test("is deleted whole: its key stops, and its database is gone", async () => {
    const sandbox = await create("gone", "empty");
    expect((await call(sandbox.api_key, "GET", "/v1/genres")).statusCode).toBe(200);
    expect((await manage("DELETE", `/${sandbox.id}`)).statusCode).toBe(200);
    expect((await call(sandbox.api_key, "GET", "/v1/genres")).statusCode).toBe(401);
    expect((await manage("GET", `/${sandbox.id}`)).statusCode).toBe(404);
    const { driver } = portal.database;
    expect(await driver`select from pg_database where datname like ${`%${sandbox.id}`}`).toHaveLength(0);
  }, 120_000);

  test("is one of five", async () => {
    const made = [];
    for (let count = 0; count < 5; count++) made.push(await create(`five ${count}`, "empty"));
    const sixth = await manage("POST", "", { catalogue: "empty" });
    expect([sixth.statusCode, sixth.json().error.details]).toEqual([
      409,
      "The account has 5 sandboxes, the most it may have. Delete one first.",
    ]);
    expect((await manage("GET")).json().data.sandboxes).toHaveLength(5);
    await drop(...made);
  }, 240_000);
});

describe("bad input", () => {
  let id = "";
  beforeAll(async () => {
    id = (await create("bad", "empty")).id;
  }, 120_000);

  test.each([
    [{ by: "P11Y" }, "ISO 8601 duration in weeks, days"],
    [{ by: "-P1D" }, "goes forward only"],
    [{ by: "PT0S" }, "more than nothing"],
    [{ by: "P3651D" }, "at most P3650D"],
    [{ by: "soon" }, "such as P90D or PT1H"],
    [{ by: "P1D", faults: [{ receiver: "slow" }] }, 'a fault that does not exist: "slow"'],
    [{ by: "P1D", faults: [{ receiver: "down", from: "P2D", to: "P1D" }] }, "from of a fault must be before its to"],
    [{ by: "P1D", faults: [{ refunds: "bounce", share: 2 }] }, "from 0 to 1"],
  ])("%j is refused with the remedy", async (body, details) => {
    const response = await manage("POST", `/${id}/advance`, body);
    expect([response.statusCode, response.json().error.details]).toEqual([400, expect.stringContaining(details)]);
  });

  test("a live key gets 403 live_key_on_test, a sandbox's key 403 forbidden", async () => {
    const live = await call(liveKey, "GET", "/v1/test/sandboxes");
    expect([live.statusCode, live.json().error.details]).toEqual([403, expect.stringMatching(/^live_key_on_test: /)]);
    const sandbox = await create("manager", "empty");
    const ofSandboxKey = await call(sandbox.api_key, "GET", "/v1/test/sandboxes");
    expect([ofSandboxKey.statusCode, ofSandboxKey.json().error.code]).toEqual([403, "forbidden"]);
    await drop(sandbox);
  });

  test.each(["sandboxes", "sandboxes/{id}/advance", "events"])(
    "POST /test/%s refuses a field that the caller may not set",
    async (path) => {
      for (const field of ["id", "user_id", "created_at", "now", "api_key", "status", "owner_id"]) {
        const response = await call(testKey, "POST", `/v1/test/${path.replace("{id}", id)}`, { [field]: "1" });
        expect([response.statusCode, response.json().error.details]).toEqual([400, expect.stringContaining(field)]);
      }
    },
  );

  test("an unknown sandbox is 404, an unknown catalogue 400", async () => {
    expect((await manage("GET", "/nowhere")).statusCode).toBe(404);
    expect((await manage("POST", "", { catalogue: "huge" })).statusCode).toBe(400);
  });
});
