import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import examples from "../../../../../contract/examples.json" with { type: "json" };
import { bodySignature, newSecret, signatureHeaders } from "./signature.ts";

interface PublicVector {
  name: string;
  scheme: string;
  key: string;
  key_encoding: string;
  message_hex: string;
  expected: string;
}
interface ClientVector {
  name: string;
  body_base64: string;
  secrets: string[];
  header: string;
  expect: "valid" | "invalid" | "error";
}

const vectors = async <T>(file: string): Promise<T[]> =>
  JSON.parse(await readFile(new URL(`../../../../../${file}`, import.meta.url), "utf8"));
const publicVectors = await vectors<PublicVector>("../shared/data/public-signature-vectors.json");
const clientVectors = await vectors<ClientVector>("contract/vectors/client-signature-vectors.json");

const now = () => Math.floor(Date.now() / 1000);
const body = Buffer.from('{"id":"evt_1","data":{"title":"Café 🎵"}}');

describe("X-Webhook-Signature", () => {
  // The schemes of GitHub and RFC 4231 are an HMAC over the body alone, as ours is.
  const comparable = publicVectors.filter(
    ({ key_encoding, expected }) => key_encoding === "utf8" && /^(sha256=)?[0-9a-f]{64}$/.test(expected),
  );

  it("has public vectors to be compared with", () => expect(comparable.length).toBeGreaterThanOrEqual(2));

  it.each(comparable)("is the published value: $name", ({ key, message_hex, expected }) => {
    expect(bodySignature(Buffer.from(message_hex, "hex"), key)).toBe(expected.replace("sha256=", ""));
  });

  it.each(clientVectors.filter((vector) => vector.expect === "valid"))("is what clients accept: $name", (vector) => {
    const signatures = vector.secrets.map((secret) => bodySignature(Buffer.from(vector.body_base64, "base64"), secret));
    expect(signatures).toContain(vector.header);
  });

  it("is keyed with the whole secret as shown, prefix included (DESIGN section 2)", () => {
    const secret = newSecret();
    const headers = signatureHeaders({ id: "evt_1", timestampSeconds: 1, body }, [secret]);
    expect(headers["X-Webhook-Signature"]).toBe(
      createHmac("sha256", Buffer.from(secret, "utf8")).update(body).digest("hex"),
    );
    expect(headers).not.toHaveProperty("X-Webhook-Signature-Previous");
  });
});

describe("the Standard Webhooks headers", () => {
  it.each(Object.values(examples.events))("pass the official verifier on $type", (event) => {
    const secret = newSecret();
    const its = Buffer.from(JSON.stringify(event));
    const headers = signatureHeaders({ id: event.id, timestampSeconds: now(), body: its }, [secret]);
    expect(new Webhook(secret).verify(its.toString(), headers)).toEqual(event);
  });

  it("pass the official verifier", () => {
    const secret = newSecret();
    const headers = signatureHeaders({ id: "evt_1", timestampSeconds: now(), body }, [secret]);
    expect(new Webhook(secret).verify(body.toString(), headers)).toEqual(JSON.parse(body.toString()));
  });

  it("pass it with either secret while a rotated one still signs", () => {
    const [current, previous] = [newSecret(), newSecret()];
    const headers = signatureHeaders({ id: "evt_1", timestampSeconds: now(), body }, [current, previous]);
    for (const secret of [current, previous]) new Webhook(secret).verify(body.toString(), headers);
    expect(headers["X-Webhook-Signature-Previous"]).toBe(bodySignature(body, previous));
    expect(() => new Webhook(newSecret()).verify(body.toString(), headers)).toThrow();
  });

  it("are refused by it when the body, the id or the time was changed, or the time is stale", () => {
    const secret = newSecret();
    const headers = signatureHeaders({ id: "evt_1", timestampSeconds: now(), body }, [secret]);
    const verify = (text: string, its: Record<string, string>) => () => new Webhook(secret).verify(text, its);
    expect(verify(`${body} `, headers)).toThrow();
    expect(verify(body.toString(), { ...headers, "webhook-id": "evt_2" })).toThrow();
    expect(verify(body.toString(), { ...headers, "webhook-timestamp": String(now() + 1) })).toThrow();
    const stale = signatureHeaders({ id: "evt_1", timestampSeconds: now() - 3600, body }, [secret]);
    expect(verify(body.toString(), stale)).toThrow();
  });
});

describe("newSecret", () => {
  it("is whsec_ and the base64 of 32 bytes, never the same", () => {
    const secrets = Array.from({ length: 50 }, newSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(50);
  });
});
