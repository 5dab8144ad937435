import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newSecret, signatureHeaders } from "../signature.ts";
import { type Diagnosis, diagnose, type Evidence, type Finding, findings } from "./doctor.ts";

const secret = newSecret();
const now = 1_700_000_000;
const event = {
  id: "evt_1",
  created: now,
  type: "beat.purchased",
  data: { title: "Café 🎵", amount: 29.9, url: "https://localhost/a" },
};
const body = Buffer.from(JSON.stringify(event));
const headers = signatureHeaders({ id: event.id, timestampSeconds: now, body }, [secret]);
const hmac = (message: string | Buffer, key: string | Buffer = secret) => createHmac("sha256", key).update(message);

/** The diagnosis of a valid delivery with one change. */
const diagnosis = (change: Partial<Evidence>): Diagnosis =>
  diagnose({ headers, body, secret, nowSeconds: now, ...change });
const signed = (signature: string) => ({ headers: { ...headers, "X-Webhook-Signature": signature } });

it("a valid delivery is reported as valid", () => {
  expect(diagnosis({})).toEqual({ ok: true, finding: "valid", cause: "The signature is right.", advice: "" });
  expect(diagnosis({ computed: hmac(body).digest("hex") })).toMatchObject({ ok: true });
});

it("header names in lower case and missing Standard Webhooks headers are accepted", () => {
  expect(diagnosis({ headers: { "x-webhook-signature": hmac(body).digest("hex") } })).toMatchObject({ ok: true });
});

const decoded = Buffer.from(secret.slice("whsec_".length), "base64");
const asciiJson = JSON.stringify(event).replace("é", "\\u00e9").replace("🎵", "\\ud83c\\udfb5");
const sorted = JSON.stringify({ created: now, data: event.data, id: event.id, type: event.type });

describe("the cause is named when", () => {
  it.each<[string, Partial<Evidence>, string]>([
    [
      "the JSON was re-serialised by pretty-printing",
      { body: Buffer.from(JSON.stringify(event, null, 2)) },
      "re-serialised",
    ],
    ["the JSON was re-serialised with ASCII escapes", { body: Buffer.from(asciiJson) }, "re-serialised"],
    [
      "the JSON was re-serialised with escaped slashes",
      { body: Buffer.from(JSON.stringify(event).replaceAll("/", "\\/")) },
      "re-serialised",
    ],
    ["the JSON was re-serialised with sorted keys", { body: Buffer.from(sorted) }, "re-serialised"],
    [
      "the JSON was re-serialised irreversibly",
      { body: Buffer.from(JSON.stringify({ ...event, data: { amount: 29.9, title: "Café 🎵" } }, null, 3)) },
      "parsed and written again",
    ],
    ["the secret is a different one", { secret: newSecret() }, "signed with another secret"],
    ["the body was changed", { body: Buffer.from(body.toString().replace("29.9", "2.99")) }, "or its body was changed"],
    ["the body was cut off", { body: body.subarray(0, 40) }, "not what was sent"],
    ["the body has a trailing newline", { body: Buffer.from(`${body}\n`) }, "trailing newline that the body has here"],
    [
      "the body lost its trailing newline",
      signed(hmac(`${body}\n`).digest("hex")),
      "trailing newline that the body does not have",
    ],
    ["the body was read as Latin-1", { body: Buffer.from(body.toString("latin1")) }, "Latin-1"],
    ["the body has a byte order mark", { body: Buffer.from(`\uFEFF${body}`) }, "byte order mark"],
    ["the signature is base64", signed(hmac(body).digest("base64")), "base64 instead of hex"],
    ["the signature is upper-case hex", signed(hmac(body).digest("hex").toUpperCase()), "upper-case"],
    ["the signature has a prefix", signed(`sha256=${hmac(body).digest("hex")}`), "sha256= before it"],
    ["the secret has a line break", { secret: `${secret}\n` }, "white space"],
    ["the secret lost its prefix", { secret: secret.slice("whsec_".length) }, "of which whsec_ is missing here"],
    [
      "the key is the decoded secret",
      signed(hmac(body, decoded).digest("hex")),
      "the bytes that the secret's base64 stands for",
    ],
    ["there is no signature", { headers: { "Content-Type": "application/json" } }, "no X-Webhook-Signature"],
    ["the timestamp is stale", { nowSeconds: now + 301 }, "the timestamp is stale: 301 seconds old"],
    ["the clock is behind", { nowSeconds: now - 900 }, "the timestamp is stale: 900 seconds in the future"],
    [
      "the webhook-id was changed",
      { headers: { ...headers, "webhook-id": "evt_2" } },
      "webhook-id or webhook-timestamp was changed",
    ],
  ])("%s", (_, change, cause) => {
    const result = diagnosis(change);
    expect(result.ok).toBe(false);
    expect(result.cause).toContain(cause);
    expect(result.advice).toMatch(/\.$/);
  });

  it("the receiver uses the secret from before a rotation", () => {
    const rotated = signatureHeaders({ id: event.id, timestampSeconds: now, body }, [newSecret(), secret]);
    expect(diagnosis({ headers: rotated })).toMatchObject({ ok: false, cause: expect.stringContaining("rotation") });
  });

  it("there are three causes at once", () => {
    const { cause } = diagnosis({ ...signed(hmac(body, decoded).digest("base64")), body: Buffer.from(`${body}\n`) });
    expect(cause).toContain("trailing newline");
    expect(cause).toContain("base64 stands for");
    expect(cause).toContain("base64 instead of hex");
  });
});

describe("what the receiver computed is explained when it", () => {
  it.each([
    ["wrote base64", hmac(body).digest("base64"), "base64 instead of hex"],
    ["decoded the secret", hmac(body, decoded).digest("hex"), "the bytes that the secret's base64 stands for"],
    ["left whsec_ out", hmac(body, secret.slice("whsec_".length)).digest("hex"), "after whsec_"],
    ["used the secret with a line break", hmac(body, `${secret}\n`).digest("hex"), "a line break after it"],
    [
      "signed the body as Python's json.dumps writes it",
      hmac(asciiJson.replaceAll(/([:,])(?=["{\d])/g, "$1 ")).digest("hex"),
      "re-serialised",
    ],
    [
      "signed the body as PHP's json_encode writes it",
      hmac(asciiJson.replaceAll("/", "\\/")).digest("hex"),
      "re-serialised",
    ],
    ["signed an empty body", hmac("").digest("hex"), "an empty body"],
    ["signed an object", hmac("[object Object]").digest("hex"), "[object Object]"],
    ["signed id, timestamp and body", hmac(`evt_1.${now}.${body}`).digest("hex"), "id, timestamp and body"],
    ["did something else", createHmac("sha1", secret).update(body).digest("hex"), "another method"],
  ])("%s", (_, computed, cause) => {
    const result = diagnosis({ computed });
    expect(result.ok).toBe(false);
    expect(result.cause).toContain("The delivery is right");
    expect(result.cause).toContain(cause);
  });
});

describe("the finding is", () => {
  const cases: [Finding, Partial<Evidence>][] = [
    ["valid", {}],
    ["no-signature", { headers: {} }],
    [
      "previous-secret",
      { headers: signatureHeaders({ id: event.id, timestampSeconds: now, body }, [newSecret(), secret]) },
    ],
    ["other-secret", { secret: newSecret() }],
    ["secret-text", { secret: `${secret}\n` }],
    ["changed-body", { body: body.subarray(0, 40) }],
    ["changed-body", { body: Buffer.from(asciiJson) }],
    ["newline", { body: Buffer.from(`${body}\n`) }],
    ["signed-text", { computed: hmac(`evt_1.${now}.${body}`).digest("hex") }],
    ["encoding", signed(hmac(body).digest("base64"))],
    ["other-method", { computed: createHmac("sha1", secret).update(body).digest("hex") }],
    ["standard-headers", { headers: { ...headers, "webhook-id": "evt_2" } }],
    ["stale-timestamp", { nowSeconds: now + 301 }],
  ];

  it.each(cases)("%s", (finding, change) => {
    expect(diagnosis(change).finding).toBe(finding);
  });

  it("tested for each value of `findings`", () => {
    expect(new Set(cases.map(([finding]) => finding))).toEqual(new Set(findings));
  });
});
