import { beforeAll, describe, expect, test } from "vitest";
import { sha256 } from "../../src/resources/api-keys/key-format.ts";
import { type TestApi, testApi } from "../harness/api.ts";
import { makeKey, type TestPortal, testPortal } from "../harness/portal.ts";
import { inSandbox, liftLimits, withTestMode } from "../harness/sandboxes.ts";

// Two servers with the same databases, as with a load balancer.

let portal: TestPortal;
let testMode: Awaited<ReturnType<typeof withTestMode>>;
let firstServer: TestApi;
let secondServer: TestApi;
let testKey: string;

beforeAll(async () => {
  testMode = await withTestMode("closing_");
  portal = await testPortal(testMode);
  firstServer = portal.api;
  secondServer = await testApi({ ...testMode, database: portal.database });
  testKey = (await makeKey(await portal.signUp(), {}, { "x-mode": "test" })).json().key;
  await liftLimits(testMode, testKey);
}, 120_000);

type Method = "GET" | "POST" | "DELETE";
const call = (api: TestApi, key: string, method: Method, url: string, payload?: object, headers = {}) =>
  api.request({ method, url, headers: { authorization: `Bearer ${key}`, ...headers }, ...(payload && { payload }) });
const manage = (method: Method, path = "", payload?: object, { api = firstServer, headers = {} } = {}) =>
  call(api, testKey, method, `/v1/test/sandboxes${path}`, payload, headers);
const create = async (seed: string) =>
  (await manage("POST", "", { seed, catalogue: "demo" })).json().data.sandbox as { id: string; api_key: string };
const drop = async (...sandboxes: { id: string }[]) => {
  for (const { id } of sandboxes) expect((await manage("DELETE", `/${id}`)).statusCode).toBe(200);
};

/** The id of the sandbox that a key opens is a part of the key. */
const sandboxIdOf = (key: string) => key.split("_")[2] ?? "";

describe("a fork", () => {
  test("first completes the running requests of the original; later requests wait until the original is open again", async () => {
    const sandbox = await create("busy");
    const key = sandbox.api_key;
    await liftLimits(testMode, key);
    const { beats } = (await call(firstServer, key, "GET", "/v1/beats?limit=20")).json().data;
    const order = ({ id }: { id: number }) =>
      call(firstServer, key, "POST", "/v1/orders", {
        beat_id: id,
        license_type: "basic",
        payment_method: "pm_card_visa",
      });
    const before = beats.slice(0, 8).map(order);
    const forks = [manage("POST", `/${sandbox.id}/fork`), manage("POST", `/${sandbox.id}/fork`)];
    const after = beats.slice(8, 16).map(order);
    const reads = beats.map(({ id }: { id: number }) => call(firstServer, key, "GET", `/v1/beats/${id}`));
    for (const response of await Promise.all([...before, ...after]))
      expect(response.statusCode, response.body).toBe(201);
    for (const response of await Promise.all(reads)) expect(response.statusCode, response.body).toBe(200);
    const forkedIds = (await Promise.all(forks)).map((fork) => {
      expect(fork.statusCode, fork.body).toBe(201);
      return fork.json().data.sandbox;
    });
    for (const { id } of forkedIds) {
      const [orders] = await inSandbox(
        testMode,
        id,
        (driver) => driver`
        select count(*) filter (where status = 'pending')::int as pending, count(*)::int as count from orders`,
      );
      expect(orders).toMatchObject({ pending: 0 });
    }
    await drop(sandbox, ...forkedIds);
  }, 120_000);

  test("copies a sandbox that another server has open, and that server opens it again", async () => {
    const sandbox = await create("elsewhere");
    const read = () => call(secondServer, sandbox.api_key, "GET", "/v1/beats?limit=1");
    expect((await read()).statusCode).toBe(200);
    const fork = await manage("POST", `/${sandbox.id}/fork`);
    expect(fork.statusCode, fork.body).toBe(201);
    expect((await read()).statusCode).toBe(200);
    await drop(sandbox, fork.json().data.sandbox);
  }, 120_000);

  test("leaves a usable sandbox if a crash interrupts it", async () => {
    const sandbox = await create("crashed");
    const fork = await manage("POST", `/${sandbox.id}/fork`);
    // A fork refuses connections to the sandbox while it copies. A crash during the copy leaves it so.
    await portal.database.driver.unsafe(
      `alter database ${testMode.sandboxServer.prefix}${sandbox.id} allow_connections false`,
    );
    expect((await call(firstServer, sandbox.api_key, "GET", "/v1/beats?limit=1")).statusCode).toBe(200);
    await drop(sandbox, fork.json().data.sandbox);
  }, 120_000);
});

test("sandboxes that were closed to make room are opened again when they are used", async () => {
  const created = [];
  for (const account of [1, 2]) {
    const key = (await makeKey(await portal.signUp(), {}, { "x-mode": "test" })).json().key;
    await liftLimits(testMode, key);
    for (let count = 0; count < 4; count++) {
      const seed = `room ${account} ${count}`;
      const response = await call(firstServer, key, "POST", "/v1/test/sandboxes", { seed, catalogue: "empty" });
      expect(response.statusCode, response.body).toBe(201);
      created.push(response.json().data.sandbox);
    }
  }
  for (let round = 0; round < 2; round++)
    for (const { api_key } of created)
      expect((await call(firstServer, api_key, "GET", "/v1/genres")).statusCode).toBe(200);
}, 240_000);

describe("two servers", () => {
  test("have the same time: if one advances, the other returns the new time", async () => {
    const sandbox = await create("clocks");
    const nowOf = async (api: TestApi) =>
      (await manage("GET", `/${sandbox.id}`, undefined, { api })).json().data.sandbox.now;
    const order = async (api: TestApi) => {
      const { beats } = (await call(api, sandbox.api_key, "GET", "/v1/beats?limit=1")).json().data;
      const body = { beat_id: beats[0].id, license_type: "basic", payment_method: "pm_card_visa" };
      const ordered = (await call(api, sandbox.api_key, "POST", "/v1/orders", body)).json().data.order;
      return new Date(ordered.created_at).toISOString();
    };
    expect([await order(firstServer), await order(secondServer)]).toEqual(Array(2).fill("2026-01-01T00:00:00.000Z"));
    expect((await manage("POST", `/${sandbox.id}/advance`, { by: "P3D" })).statusCode).toBe(200);
    expect([await nowOf(secondServer), await order(secondServer)]).toEqual(Array(2).fill("2026-01-04T00:00:00.000Z"));
    const back = await manage("POST", `/${sandbox.id}/advance`, { by: "P1D" }, { api: secondServer });
    expect(back.json().data.advance.sandbox.now).toBe("2026-01-05T00:00:00.000Z");
    expect([await nowOf(firstServer), await order(firstServer)]).toEqual(Array(2).fill("2026-01-05T00:00:00.000Z"));
    await drop(sandbox);
  }, 120_000);

  test("advances of one sandbox never overlap: the second waits its turn or gets 409", async () => {
    const sandbox = await create("race");
    const body = { by: "P5D", orders_per_day: 10 };
    const advances = await Promise.all(
      [firstServer, secondServer].map((api) => manage("POST", `/${sandbox.id}/advance`, body, { api })),
    );
    const statuses = advances.map(({ statusCode }) => statusCode).sort();
    expect([
      [200, 200],
      [200, 409],
    ]).toContainEqual(statuses);
    const days = statuses.filter((status) => status === 200).length * 5;
    const { now } = (await manage("GET", `/${sandbox.id}`)).json().data.sandbox;
    expect(now).toBe(`2026-01-${String(1 + days).padStart(2, "0")}T00:00:00.000Z`);
    await drop(sandbox);
  }, 120_000);
});

describe("an Idempotency-Key", () => {
  test("creates one sandbox and one copy with the same response, even on another server and after a failure", async () => {
    const body = { seed: "once", catalogue: "empty", webhook_url: "https://receiver.example/" };
    const headers = { "idempotency-key": "make-once" };
    const first = await manage("POST", "", body, { headers });
    const secondResponse = await manage("POST", "", body, { headers, api: secondServer });
    expect([first.statusCode, secondResponse.statusCode, secondResponse.headers["idempotent-replayed"]]).toEqual([
      201,
      201,
      "true",
    ]);
    expect(secondResponse.json()).toEqual(first.json());
    const { id } = first.json().data.sandbox;

    // The response of the first attempt is lost.
    const testModeId = sandboxIdOf(testKey);
    await inSandbox(
      testMode,
      testModeId,
      (driver) => driver`update idempotency_keys set answer = null, leased_until = now() - interval '1 hour'`,
    );
    const continued = (await manage("POST", "", body, { headers })).json().data.sandbox;
    expect(continued.id).toBe(id);
    const secrets = await inSandbox(
      testMode,
      id,
      (driver) => driver`
      select count(*)::int as endpoints, (select count(*)::int from api_keys where revoked_at is null and sha256 = ${sha256(continued.api_key)}) as keys
      from webhook_endpoints`,
    );
    expect(secrets).toMatchObject([{ endpoints: 1, keys: 1 }]);

    const forkHeaders = { headers: { "idempotency-key": "fork-once" } };
    const forks = [
      await manage("POST", `/${id}/fork`, undefined, forkHeaders),
      await manage("POST", `/${id}/fork`, undefined, forkHeaders),
    ];
    expect(forks.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(forks[1]?.json()).toEqual(forks[0]?.json());
    expect((await manage("GET")).json().data.sandboxes).toHaveLength(2);

    const differs = await manage("POST", "", { ...body, seed: "twice" }, { headers });
    expect([differs.statusCode, differs.json().error.details]).toEqual([
      409,
      "This Idempotency-Key came with another request before. Use a new key for a new request.",
    ]);
    await drop(...(await manage("GET")).json().data.sandboxes);
  }, 120_000);
});
