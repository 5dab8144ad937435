import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { BeatMarket, BeatMarketError, SignatureVerificationError, webhooks } from "beatmarket";
import { describe, expect, test } from "vitest";

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
    const error = await verified.catch((its) => its);
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
  expect(await webhooks.unwrap(raw, { "x-webhook-signature": sign(body) }, secret)).toEqual(event);
});

test.each([
  ["a plain object, in any case", { "X-Webhook-Signature": sign(body) }],
  ["Headers", new Headers({ "x-webhook-signature": sign(body) })],
  ["a list, as Node has repeated ones", { "x-webhook-signature": [sign(body)] }],
  ["the previous secret's", { "x-webhook-signature": sign(body, "new"), "x-webhook-signature-previous": sign(body) }],
])("the headers may be %s", async (_, headers) => {
  expect(await webhooks.unwrap(body, headers, secret)).toEqual(event);
});

describe("a refusal says why", () => {
  test.each([
    [event as never, { "x-webhook-signature": sign(body) }, /parsed before.*express\.raw/],
    [body, {}, /no X-Webhook-Signature/],
    [body, { "x-webhook-signature": "sha256=00" }, /64 lower-case/],
    [body, { "x-webhook-signature": sign(body, "other") }, /raw bytes.*whsec_ included/],
  ])("%#", async (raw, headers, message) => {
    const error = await webhooks.unwrap(raw, headers, secret).catch((its) => its);
    expect(error).toBeInstanceOf(SignatureVerificationError);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(secret);
  });
});

test("a body with a valid signature that is not an event is an error, but not a signature error", async () => {
  for (const text of ["{", "null", "[]", '{"type": 1}']) {
    const raw = Buffer.from(text);
    const error = await webhooks.unwrap(raw, { "x-webhook-signature": sign(raw) }, secret).catch((its) => its);
    expect(error).toBeInstanceOf(BeatMarketError);
    expect(error).not.toBeInstanceOf(SignatureVerificationError);
  }
});

test("a client has the same functions", async () => {
  const client = new BeatMarket({ apiKey: "bm_1" });
  await client.webhooks.verify(body, sign(body), [secret]);
});
