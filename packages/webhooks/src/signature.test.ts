import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { bodySignature, newSecret, signatureHeaders } from "./signature.ts";

/** Published examples of HMAC-SHA256 over only a body. */
const publicVectors = [
  {
    source: "docs.github.com, Validating webhook deliveries",
    key: "It's a Secret to Everybody",
    message: "Hello, World!",
    expected: "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
  },
  {
    source: "octokit/webhooks-methods.js, test/verify.test.ts",
    key: "mysecret",
    message: '{"foo":"bar"}',
    expected: "4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3",
  },
  {
    source: "RFC 4231, test case 2",
    key: "Jefe",
    message: "what do ya want for nothing?",
    expected: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  },
];
const now = () => Math.floor(Date.now() / 1000);
const body = Buffer.from('{"id":"evt_1","data":{"title":"Café 🎵"}}');

describe("X-Webhook-Signature", () => {
  it.each(publicVectors)("equals the published value of $source", ({ key, message, expected }) => {
    expect(bodySignature(Buffer.from(message), key)).toBe(expected);
  });

  it("is keyed with the whole secret as displayed, including the prefix", () => {
    const secret = newSecret();
    const headers = signatureHeaders({ id: "evt_1", timestampSeconds: 1, body }, [secret]);
    expect(headers["X-Webhook-Signature"]).toBe(
      createHmac("sha256", Buffer.from(secret, "utf8")).update(body).digest("hex"),
    );
    expect(headers).not.toHaveProperty("X-Webhook-Signature-Previous");
  });
});

describe("the Standard Webhooks headers", () => {
  it("pass the official verifier", () => {
    const secret = newSecret();
    const headers = signatureHeaders({ id: "evt_1", timestampSeconds: now(), body }, [secret]);
    expect(new Webhook(secret).verify(body.toString(), headers)).toEqual(JSON.parse(body.toString()));
  });

  it("pass the official verifier with either secret during a rotation", () => {
    const [current, previous] = [newSecret(), newSecret()];
    const headers = signatureHeaders({ id: "evt_1", timestampSeconds: now(), body }, [current, previous]);
    for (const secret of [current, previous]) new Webhook(secret).verify(body.toString(), headers);
    expect(headers["X-Webhook-Signature-Previous"]).toBe(bodySignature(body, previous));
    expect(() => new Webhook(newSecret()).verify(body.toString(), headers)).toThrow();
  });

  it("fail the official verifier if the body, the id or the timestamp was changed, or the timestamp is stale", () => {
    const secret = newSecret();
    const headers = signatureHeaders({ id: "evt_1", timestampSeconds: now(), body }, [secret]);
    const verify = (text: string, sentHeaders: Record<string, string>) => () =>
      new Webhook(secret).verify(text, sentHeaders);
    expect(verify(`${body} `, headers)).toThrow();
    expect(verify(body.toString(), { ...headers, "webhook-id": "evt_2" })).toThrow();
    expect(verify(body.toString(), { ...headers, "webhook-timestamp": String(now() + 1) })).toThrow();
    const stale = signatureHeaders({ id: "evt_1", timestampSeconds: now() - 3600, body }, [secret]);
    expect(verify(body.toString(), stale)).toThrow();
  });
});

describe("newSecret", () => {
  it("is whsec_ and the base64 of 32 random bytes", () => {
    const secrets = Array.from({ length: 50 }, () => newSecret());
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(50);
  });
});
