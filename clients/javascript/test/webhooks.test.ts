import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { BeatMarket, BeatMarketError, SignatureVerificationError, webhooks } from "beatmarket";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

interface Vector {
  name: string;
  body_base64: string;
  secrets: string[];
  header: string | null;
  expect: "valid" | "invalid" | "config_error";
}

const vectors = JSON.parse(
  await readFile(new URL("./client-signature-vectors.json", import.meta.url), "utf8"),
) as Vector[];
const event = { id: "evt_1", created: 1, type: "beat.purchased", data: { amount: 29.9 } };
const secret = "whsec_c2VjcmV0";
const body = Buffer.from(JSON.stringify(event));
const sign = (bytes: Buffer, key = secret) => createHmac("sha256", key).update(bytes).digest("hex");

test("there are 27 vectors", () => expect(vectors).toHaveLength(27));

test.each(vectors)("$name: $expect", async ({ body_base64, header, secrets, expect: expected }) => {
  const verified = webhooks.verify(Buffer.from(body_base64, "base64"), header, secrets);
  if (expected === "valid") await expect(verified).resolves.toBeUndefined();
  else if (expected === "invalid") await expect(verified).rejects.toBeInstanceOf(SignatureVerificationError);
  else {
    const error = await verified.catch((error) => error);
    expect(error).toBeInstanceOf(BeatMarketError);
    expect(error).not.toBeInstanceOf(SignatureVerificationError);
  }
});

test.each([
  ["bytes", body],
  ["a view of a larger buffer", Buffer.concat([Buffer.from("xx"), body]).subarray(2)],
  ["an ArrayBuffer", Uint8Array.from(body).buffer],
  ["text", body.toString()],
])("the body may be %s", async (_, raw) => {
  expect(await webhooks.unwrap(raw, { "x-webhook-signature": sign(body) }, secret, null)).toEqual(event);
});

test.each([
  ["a plain object, in any case", { "X-Webhook-Signature": sign(body) }],
  ["Headers", new Headers({ "x-webhook-signature": sign(body) })],
  ["a list, as in Node's object of headers", { "x-webhook-signature": [sign(body)] }],
  ["the previous secret's", { "x-webhook-signature": sign(body, "new"), "x-webhook-signature-previous": sign(body) }],
])("the headers may be %s", async (_, headers) => {
  expect(await webhooks.unwrap(body, headers, secret, null)).toEqual(event);
});

describe("a refusal says why", () => {
  test.each([
    [event as never, { "x-webhook-signature": sign(body) }, /parsed before.*express\.raw/],
    [body, {}, /no X-Webhook-Signature/],
    [body, { "x-webhook-signature": "sha256=00" }, /64 lower-case/],
    [body, { "x-webhook-signature": sign(body, "other") }, /raw bytes.*whsec_ included/],
  ])("%#", async (raw, headers, message) => {
    const error = await webhooks.unwrap(raw, headers, secret, null).catch((error) => error);
    expect(error).toBeInstanceOf(SignatureVerificationError);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(secret);
  });
});

test("a body with a valid signature that is not an event is an error, but not a signature error", async () => {
  for (const text of ["{", "null", "[]", '{"type": 1}']) {
    const raw = Buffer.from(text);
    const error = await webhooks
      .unwrap(raw, { "x-webhook-signature": sign(raw) }, secret, null)
      .catch((error) => error);
    expect(error).toBeInstanceOf(BeatMarketError);
    expect(error).not.toBeInstanceOf(SignatureVerificationError);
  }
});

describe("a request with the headers of Standard Webhooks", () => {
  const now = 1_800_000_000;
  const key = Buffer.from("c2VjcmV0", "base64");
  const signed = (timestamp: number | string, by = key) => {
    const mac = createHmac("sha256", by).update(`evt_1.${timestamp}.${body}`).digest("base64");
    return {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(timestamp),
      "webhook-signature": `v1,AAAA v1,${mac} v2,x`,
    };
  };
  const unwrapped = (
    headers: Record<string, string>,
    ...more: [secrets?: string | string[], tolerance?: number | null]
  ) => webhooks.unwrap(body, headers, more[0] ?? secret, ...(more.slice(1) as [number?]));

  beforeEach(() => void vi.useFakeTimers({ now: now * 1_000 }));
  afterEach(() => void vi.useRealTimers());

  test.each([0, 299, -299])("is accepted %d s old, with its secret alone or among several", async (age) => {
    expect(await unwrapped(signed(now - age))).toEqual(event);
    expect(await unwrapped(signed(now - age), ["whsec_b3RoZXI=", secret])).toEqual(event);
  });

  test.each([
    ["a request of 301 s ago", signed(now - 301), /301 s ago, more than the tolerance of 300 s/],
    ["a request of 301 s in the future", signed(now + 301), /301 s in the future/],
    ["a request without a timestamp", { ...signed(now), "webhook-timestamp": "" }, /no webhook-timestamp/],
    ["a request without an id", { ...signed(now), "webhook-id": "" }, /no webhook-id/],
    [
      "a request without a webhook-signature",
      { "x-webhook-signature": sign(body), "webhook-id": "evt_1", "webhook-timestamp": "1" },
      /no webhook-signature/,
    ],
    ["a timestamp that is not a number", signed("soon"), /not a Unix time/],
    ["a signature by another secret", signed(now, Buffer.from("other")), /does not match/],
    ["a changed timestamp", { ...signed(now - 9), "webhook-timestamp": String(now) }, /does not match/],
  ])("%s is refused", async (_, headers, message) => {
    const error = await unwrapped(headers).catch((error) => error);
    expect(error).toBeInstanceOf(SignatureVerificationError);
    expect(error.message).toMatch(message);
  });

  test("is judged by the tolerance that was passed, which must be a positive number", async () => {
    expect(await unwrapped(signed(now - 900), secret, 901)).toEqual(event);
    await expect(unwrapped(signed(now - 9), secret, 8)).rejects.toThrow("tolerance of 8 s");
    for (const tolerance of [0, -1, Number.NaN, "300" as never])
      await expect(unwrapped(signed(now), secret, tolerance)).rejects.toThrow(/The tolerance is .*number of seconds/);
  });

  test("is refused if its id is not the id of the event", async () => {
    const other = Buffer.from(JSON.stringify({ ...event, id: "evt_2" }));
    const mac = createHmac("sha256", key).update(`evt_1.${now}.${other}`).digest("base64");
    const headers = { ...signed(now), "webhook-signature": `v1,${mac}` };
    await expect(webhooks.unwrap(other, headers, secret)).rejects.toThrow("not the id of the event");
  });

  test("a secret that is not base64 is an error, but not a signature error", async () => {
    const error = await unwrapped(signed(now), "whsec_%%%").catch((error) => error);
    expect(error).not.toBeInstanceOf(SignatureVerificationError);
    expect(error.message).toMatch(/whsec_ and base64/);
  });
});

test("a client has webhooks.verify, too", async () => {
  const client = new BeatMarket({ apiKey: "bm_1" });
  await client.webhooks.verify(body, sign(body), [secret]);
});

test("unwrap accepts what sign returns, and sign rejects an invalid body, secret or time", async () => {
  const headers = await webhooks.sign(body, secret);
  expect(await webhooks.unwrap(body, headers, secret)).toEqual(event);
  expect(await webhooks.unwrap(body, headers, secret, null)).toEqual(event);
  const old = await webhooks.sign(body.toString(), secret, new Date(0));
  expect(old["webhook-timestamp"]).toBe("0");
  await expect(webhooks.unwrap(body, old, secret)).rejects.toThrow("the tolerance of 300 s");
  for (const [given, key, at] of [
    ["{}", secret, new Date(0)],
    ["x", secret, new Date(0)],
    [body, "", new Date(0)],
    [body, "whsec_!", new Date(0)],
    [body, secret, new Date("x")],
  ] as const)
    await expect(webhooks.sign(given, key, at)).rejects.toBeInstanceOf(BeatMarketError);
});
