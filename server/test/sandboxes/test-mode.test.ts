import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { eventually } from "@beatmarket/foundation/testing/eventually.ts";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { generateKey } from "../../src/resources/api-keys/key-format.ts";
import { eventTypes } from "../../src/resources/webhooks/event-types.ts";
import { publicUrl, testApi } from "../harness/api.ts";
import { insertBeats } from "../harness/database/catalogue.ts";
import { makeKey, type SignedInVisitor, type TestPortal, testPortal } from "../harness/portal.ts";
import { liftLimits, withTestMode } from "../harness/sandboxes.ts";

let portal: TestPortal;
let developer: SignedInVisitor;
let testKey: string;
let liveKey: string;
let liveBeat: number;

const inTestMode = { "x-mode": "test" };

beforeAll(async () => {
  const testMode = await withTestMode();
  portal = await testPortal({ ...testMode, webhookAllowPrivate: true });
  [liveBeat] = (await insertBeats(portal.database, [{ title: "Live only" }])) as [number];
  developer = await portal.signUp();
  liveKey = (await makeKey(developer)).json().key;
  const createdKey = await makeKey(developer, {}, inTestMode);
  expect(createdKey.statusCode, createdKey.body).toBe(201);
  testKey = createdKey.json().key;
  await liftLimits(testMode, testKey);
}, 120_000);

const call = (key: string, method: "GET" | "POST", url: string, payload?: object) =>
  portal.api.request({ method, url, headers: { authorization: `Bearer ${key}` }, ...(payload && { payload }) });
const testPathOf = (key: string) => `/sandboxes/${key.split("_")[2]}`;

describe("the test mode of an account", () => {
  test("has keys with a different prefix, which live mode does not list", async () => {
    expect(testKey).toMatch(/^bm_test_[0-9a-z]{16}_[0-9A-Za-z]{46}$/);
    const live = (await developer.get("/keys")).json().keys;
    const inTest = (
      await portal.api.request({
        method: "GET",
        url: "/portal/api/keys",
        headers: { cookie: developer.cookie(), ...inTestMode },
      })
    ).json().keys;
    expect(live.map((key: { ends_with: string }) => key.ends_with)).toEqual([liveKey.slice(-4)]);
    expect(inTest.map((key: { ends_with: string }) => key.ends_with)).toEqual([testKey.slice(-4)]);
  });

  test("sells its catalogue without money, and records mails instead of sending them", async () => {
    const page = (await call(testKey, "GET", "/v1/beats?limit=1")).json().data;
    expect(page.pagination.total_items ?? page.pagination.total).toBe(500);
    const before = portal.mails.length;
    const order = await call(testKey, "POST", "/v1/orders", {
      beat_id: page.beats[0].id,
      license_type: "basic",
      payment_method: "pm_card_visa",
    });
    expect(order.json().data.order).toMatchObject({ status: "completed" });
    const events = (await call(testKey, "GET", "/v1/events")).json().data.events;
    expect(events.map(({ type }: { type: string }) => type)).toContain("beat.purchased");
    expect((await call(liveKey, "GET", "/v1/events")).body).not.toContain("beat.purchased");
    expect((await call(liveKey, "GET", "/v1/orders")).json().data.orders).toEqual([]);
    expect(portal.mails).toHaveLength(before);
  });

  test("causes and delivers an event of every type, each about an existing resource", async () => {
    const received: { id: string; type: string; data: Record<string, unknown> }[] = [];
    const receiver = createServer(async (request, response) => {
      received.push(JSON.parse((await buffer(request)).toString()));
      response.end();
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void receiver.close());
    await once(receiver, "listening");
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const endpoint = await developer.send("POST", "/webhooks/endpoints", { url, event_types: null }, inTestMode);
    expect(endpoint.statusCode, endpoint.body).toBe(201);

    const refused = await call(testKey, "POST", "/v1/test/events", { type: "payout.sent" });
    expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining("Cause beat.created")]);
    const live = await call(liveKey, "POST", "/v1/test/events", { type: "beat.purchased" });
    expect(live.statusCode).toBe(403);
    for (const type of eventTypes) {
      const caused = await call(testKey, "POST", "/v1/test/events", { type });
      expect(caused.statusCode, `${type}: ${caused.body}`).toBe(201);
      const { type: causedType, ...ids } = caused.json().data.test_event;
      expect(causedType).toBe(type);
      const isAbout = (data: object) => Object.values(ids).some((id) => Object.values(data).includes(id));
      // A delivery whose response came late is repeated with the same id.
      await eventually(() => {
        const events = received.filter((event) => event.type === type && isAbout(event.data));
        expect(new Set(events.map(({ id }) => id)).size, type).toBe(1);
      });
    }
    const orders = (await call(testKey, "GET", "/v1/orders?limit=100")).json().data.orders;
    const orderIdsOf = (type: string) =>
      received.filter((event) => event.type === type).map(({ data }) => data.order_id);
    for (const [type, state] of [
      ["order.refunded", { status: "completed", refunded_at: expect.any(String) }],
      ["order.failed", { status: "failed" }],
    ] as const)
      expect(orders).toContainEqual(expect.objectContaining({ id: orderIdsOf(type)[0], ...state }));
  });

  test("does not have the live catalogue, and live mode does not have its catalogue", async () => {
    const { beats } = (await call(liveKey, "GET", "/v1/beats")).json().data;
    expect(beats.map(({ id }: { id: number }) => id)).toEqual([liveBeat]);
    expect((await call(testKey, "GET", "/v1/search?q=Live%20only")).json().data.beats ?? []).not.toContainEqual(
      expect.objectContaining({ title: "Live only" }),
    );
  });

  test("has its pages below its path, and no link of a page leaves that path", async () => {
    const { beats, pagination } = (await call(testKey, "GET", "/v1/beats?limit=1")).json().data;
    expect(pagination.next_page_url).toMatch(new RegExp(`^${publicUrl}${testPathOf(testKey)}/v1/beats`));
    const page = await portal.api.request({
      method: "GET",
      url: `${testPathOf(testKey)}/beats/${beats[0].id}`,
      headers: { accept: "text/html" },
    });
    expect(page.statusCode, page.body).toBe(200);
    expect(page.body).not.toMatch(/href="\/(?!sandboxes\/)/);
  });

  test("counts its calls towards no limit of live mode", async () => {
    const live = await call(liveKey, "GET", "/v1/beats");
    const remaining = Number(live.headers["x-ratelimit-remaining"]);
    await call(testKey, "GET", "/v1/beats");
    const secondCall = await call(liveKey, "GET", "/v1/beats");
    expect(Number(secondCall.headers["x-ratelimit-remaining"])).toBe(remaining - 1);
  });
});

describe("keys in the wrong mode", () => {
  test("a live key at the address of a sandbox is 403 with the remedy", async () => {
    const { statusCode, body } = await call(liveKey, "GET", `${testPathOf(testKey)}/v1/beats`);
    expect(statusCode).toBe(403);
    expect(JSON.parse(body).error).toMatchObject({
      code: "forbidden",
      details: expect.stringMatching(/^live_key_on_test: .*Use a key of the sandbox, which begins with bm_test_/),
    });
  });

  test("a test key of no sandbox is 401, like any unknown key", async () => {
    const { statusCode } = await call(generateKey("0123456789abcdef"), "GET", "/v1/beats");
    expect(statusCode).toBe(401);
  });

  test("a test key of one sandbox is invalid for another", async () => {
    const other = await portal.signUp();
    const otherKey = (await makeKey(other, {}, inTestMode)).json().key;
    expect(otherKey.split("_")[2]).not.toBe(testKey.split("_")[2]);
    const { statusCode } = await call(otherKey, "GET", `${testPathOf(testKey)}/v1/beats`);
    expect(statusCode).toBe(401);
  });
});

test("without test mode, a test key gets 403 with the remedy for its user and for the operator", async () => {
  const { get } = await testApi();
  const { statusCode, body } = await get("/v1/beats", { key: generateKey("0123456789abcdef") });
  expect([statusCode, JSON.parse(body).error.details]).toEqual([
    403,
    expect.stringMatching(/^test_key_on_live: .*SANDBOX_DATABASE_URL.*Use a live key/),
  ]);
});
