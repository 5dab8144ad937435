import { systemClock } from "@beatmarket/foundation/clock.ts";
import { until } from "@beatmarket/postgres/testing/processes.ts";
import { openCallLog } from "@beatmarket/request-log/call-log.ts";
import { RequestLog } from "@beatmarket/request-log/request-log.ts";
import { testEngine } from "@beatmarket/request-log/testing/call-logs.ts";
import type { VictoriaLogs } from "@beatmarket/request-log/testing/victoria-logs.ts";
import pino from "pino";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accountsErasedSince } from "../../src/resources/audit/retention.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { makeKey, type SignedInVisitor, type TestPortal, testPortal } from "../harness/portal.ts";

// An account sees the same calls, whichever store has them.

const logEngine = await testEngine();
const engine = "missing" in logEngine ? ({ show: async () => {} } as VictoriaLogs) : logEngine;
const engineAddress = { url: `http://127.0.0.1:${engine.port}`, authorization: null };
const noStore = "missing" in logEngine ? logEngine.missing : null;

const stores = [
  { name: "PostgreSQL", missing: null, requestLogEngine: undefined },
  { name: "VictoriaLogs", missing: noStore, requestLogEngine: engineAddress },
];

describe.each(stores)("with its calls in $name", ({ missing, requestLogEngine }) => {
  let portal: TestPortal;
  let owner: SignedInVisitor;
  let key: string;
  let keyId: number;
  beforeAll(async () => {
    if (missing !== null) return;
    portal = await testPortal({ requestLogEngine });
    await insertBeats(portal.database, [{ title: "Engine" }]);
    owner = await portal.signUp();
    const createdKey = (await makeKey(owner, { permissions: ["beats:read", "requests:read"] })).json();
    key = createdKey.key;
    keyId = createdKey.id;
  });
  beforeEach(({ skip }) => {
    if (missing !== null) skip(missing);
  });

  const call = (path: string) => portal.api.get(path, { key, headers: { "user-agent": "probe/1.0" } });
  /** Waits until the portal shows at least this many calls. */
  const waitForCalls = (query: string, calls: number, visitor = owner) =>
    until(async () => {
      await engine.show();
      return (await visitor.get(`/calls?${query}`)).json().calls.length >= calls;
    });

  test("an account finds, opens, counts and downloads its calls", async () => {
    const good = await call("/v1/beats?limit=7");
    const bad = await call("/v1/beats?genre=nonsense");
    expect([good.statusCode, bad.statusCode]).toEqual([200, 400]);
    await waitForCalls("text=limit%3D7", 1);
    await waitForCalls("class=4xx", 1);
    const [listedCall] = (await owner.get("/calls?class=4xx")).json().calls;
    expect(listedCall).toMatchObject({ request_id: bad.headers["x-request-id"], refused_by: "parameter:genre" });
    const detail = (await owner.get(`/calls/${listedCall.id}`)).json();
    expect(detail).toMatchObject({ id: listedCall.id, query: "genre=nonsense", client_address: "127.0.0.1" });
    const program = await call(`/v1/requests/${bad.headers["x-request-id"]}`);
    expect(program.json().data.request).toMatchObject({ refused_by: "parameter:genre", user_agent: "probe/1.0" });
    const { bars } = (await owner.get("/calls/histogram?text=nonsense")).json();
    expect(bars.reduce((sum: number, bar: Record<string, number>) => sum + (bar.refusals ?? 0), 0)).toBe(1);
    const cookie = owner.cookie();
    const file = await portal.api.request({ url: "/portal/api/calls.csv?class=4xx", headers: { cookie } });
    expect(file.body.split("\r\n")[1]).toContain(`"${bad.headers["x-request-id"]}"`);
    const home = (await owner.get("/home")).json();
    expect(home).toMatchObject({ errors: [{ status: 400, calls: 1 }], latest_success: { status: 200 } });
    const use = (await owner.get(`/keys/${keyId}/use`)).json();
    expect(use.clients).toMatchObject([{ user_agent: "probe/1.0", client_address: "127.0.0.1" }]);
  });

  test("another account sees none of these calls", async () => {
    const stranger = await portal.signUp();
    const [listedCall] = (await owner.get("/calls?class=4xx")).json().calls;
    expect((await stranger.get("/calls")).json().calls).toEqual([]);
    expect((await stranger.get(`/calls/${listedCall.id}`)).statusCode).toBe(404);
  });

  test("a server that starts again counts the earlier calls towards the limits", async () => {
    const before = Number((await call("/v1/genres")).headers["x-ratelimit-remaining"]);
    await waitForCalls("operation=listGenres", 1);
    const restartedPortal = await testPortal({ requestLogEngine, database: portal.database });
    const remaining = (await restartedPortal.api.get("/v1/genres", { key })).headers["x-ratelimit-remaining"];
    expect(Number(remaining)).toBe(before - 1);
  });

  test("an erased account's calls are deleted with the next sweep", async () => {
    const other = await portal.signUp();
    const { key: otherKey } = (await makeKey(other, { permissions: ["beats:read"] })).json();
    await portal.api.get("/v1/beats", { key: otherKey });
    await waitForCalls("", 1, other);
    expect((await owner.send("POST", "/account/erasure", { email: owner.email })).statusCode).toBe(204);
    const { database } = portal;
    const log = pino({ level: "silent" });
    const { store } = openCallLog({ engine: requestLogEngine, database, clock: systemClock, log });
    const callsOf = async (userId: number) => (await store.search(userId, {}, { limit: 50 })).calls.length;
    expect(await callsOf(owner.userId)).toBeGreaterThan(0);
    const requests = new RequestLog(database, systemClock, log, {
      store,
      erasedSince: (time) => accountsErasedSince(database.query, time),
    });
    await requests.sweep();
    await until(async () => (await callsOf(owner.userId)) === 0);
    expect(await callsOf(other.userId)).toBe(1);
    await requests.sweep();
  });
});

describe("while VictoriaLogs is unreachable", () => {
  beforeEach(({ skip }) => {
    if (noStore !== null) skip(noStore);
  });

  test("calls succeed, the pages of the log are 503, and the calls are in the log afterwards", async () => {
    const portal = await testPortal({ requestLogEngine: engineAddress });
    await insertBeats(portal.database, [{ title: "Engine" }]);
    const owner = await portal.signUp();
    const { key } = (await makeKey(owner, { permissions: ["beats:read", "requests:read"] })).json();
    await engine.stop();
    const call = await portal.api.get("/v1/beats", { key });
    expect(call.statusCode).toBe(200);
    const list = await owner.get("/calls");
    expect(list.statusCode).toBe(503);
    expect(list.headers["retry-after"]).toBe("5");
    const program = await portal.api.get("/v1/requests", { key });
    expect(program.statusCode).toBe(503);
    expect(program.body).toContain("The request log is out of reach. Calls are answered and logged all the same.");
    expect((await owner.get("/analytics?span=hour")).statusCode).toBe(200);
    await engine.start();
    await until(async () => {
      await engine.show();
      const { calls } = (await owner.get("/calls?status=200")).json();
      return calls?.[0]?.request_id === call.headers["x-request-id"];
    });
  });
});
