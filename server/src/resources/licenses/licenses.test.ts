import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInTerms } from "@beatmarket/license-terms/built-in.ts";
import { statusEntry } from "@beatmarket/license-terms/status-entry.ts";
import { termsSha256 } from "@beatmarket/license-terms/terms.ts";
import { rotateKey } from "@beatmarket/signing-keys/keys.ts";
import { afterAll, describe, expect, it } from "vitest";
import { publicUrl, testApi } from "../../../test/harness/api.ts";
import { insertLicense } from "../../../test/harness/database/licenses.ts";

const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-license-page-"));
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const api = await testApi({ dataDir });
const db = api.database.query;

const issueLicense = (overrides: Parameters<typeof insertLicense>[1] = {}) => insertLicense(api.database, overrides);
const asJson = { key: null, accept: "application/json" };
const asPage = { key: null, accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("the public page of a license", () => {
  it("is JSON with the purchase, without the buyer and the price", async () => {
    const { id, beatId, producerId } = await issueLicense({ buyerName: "Bonnie Buyer" });
    const response = await api.get(`/licenses/${id}`, asJson);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({ "cache-control": "no-store", vary: expect.stringContaining("Accept") });
    const { text } = builtInTerms.texts.basic;
    expect(response.json()).toEqual({
      status: "success",
      data: {
        license: {
          id,
          status: "valid",
          type: "basic",
          beat: { id: beatId, title: "Midnight" },
          producer: { id: producerId, name: "Nightowl" },
          purchased_at: "2026-11-22T19:10:00Z",
          issued_at: "2026-11-22T19:11:00Z",
          valid_until: "2031-11-21",
          refunded_at: null,
          replaces: null,
          replaced_by: null,
          replaced_at: null,
          files: [{ kind: "mp3", filename: "Midnight.mp3", bytes: 8_400_000, sha256: "ab".repeat(32) }],
          terms: { version: "2026-11-26", title: "Basic license", sha256: termsSha256({ text }), text },
          credential_status: statusEntry(0, publicUrl),
          sales_of_beat: { before: 0, after: 0 },
          log: null,
          url: `${publicUrl}/licenses/${id}`,
          odrl_url: `${publicUrl}/licenses/${id}/odrl`,
          may_url: `${publicUrl}/v1/licenses/${id}/may`,
        },
      },
    });
    const page = await api.get(`/licenses/${id}`, asPage);
    for (const { body } of [response, page]) expect(body).not.toMatch(/Bonnie|29\.9|2990/);
  });

  it("is HTML for browsers and without Accept, with a policy that allows only its own style and script", async () => {
    const { id } = await issueLicense();
    for (const accept of [asPage.accept, "*/*", undefined]) {
      const { statusCode, headers, body } = await api.get(`/licenses/${id}`, {
        key: null,
        ...(accept !== undefined && { accept }),
      });
      expect(statusCode).toBe(200);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(headers["content-security-policy"]).toMatch(
        /^default-src 'none'; style-src 'sha256-[^ ]+'; script-src 'sha256-[^ ]+'; /,
      );
      expect(body).toContain("This license is valid.");
      expect(body).toContain("up to 2,000 copies");
      expect(body).toContain("ab".repeat(32));
      expect(body).toContain("no legal advice");
    }
    const head = await api.request({ method: "HEAD", url: `/licenses/${id}` });
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe("");
  });

  it("shows a full refund immediately, and no partial refund", async () => {
    const { id, orderId } = await issueLicense();
    const refund = (cents: number) =>
      db
        .updateTable("orders")
        .set({ refunded_cents: cents, refunded_at: new Date("2026-11-23T08:00:00Z") })
        .where("id", "=", orderId)
        .execute();
    await refund(2989);
    expect((await api.get(`/licenses/${id}`, asJson)).json().data.license.status).toBe("valid");
    await refund(2990);
    expect((await api.get(`/licenses/${id}`, asJson)).json().data.license).toMatchObject({
      status: "refunded",
      refunded_at: "2026-11-23T08:00:00Z",
    });
    const { statusCode, body } = await api.get(`/licenses/${id}`, asPage);
    expect(statusCode).toBe(200);
    expect(body).toContain("the order was refunded on 23 November 2026, 08:00 UTC");
    expect(body).not.toContain("This license is valid.");
  });

  it("shows the end of the term with the last day", async () => {
    const { id } = await issueLicense({ purchasedAt: new Date("2020-01-10T08:00:00Z") });
    expect((await api.get(`/licenses/${id}`, asJson)).json().data.license).toMatchObject({
      status: "expired",
      valid_until: "2025-01-09",
    });
    const { body } = await api.get(`/licenses/${id}`, asPage);
    expect(body).toContain("its last day was 9 January 2025");
    expect(body).not.toContain("This license is valid.");
  });

  it("shows how many licenses of the beat were sold before and after this one, and links for programs", async () => {
    const [first, second, third] = [await issueLicense(), await issueLicense(), await issueLicense()];
    await db
      .updateTable("license_log")
      .set({ beat_id: second.beatId })
      .where("order_id", "in", [first.orderId, third.orderId])
      .execute();
    const salesOf = async (id: string) => (await api.get(`/licenses/${id}`, asJson)).json().data.license.sales_of_beat;
    expect(await salesOf(first.id)).toEqual({ before: 0, after: 2 });
    expect(await salesOf(third.id)).toEqual({ before: 2, after: 0 });
    const { body } = await api.get(`/licenses/${second.id}`, asPage);
    expect(body).toContain("1 license was sold before this one, and 1 license after it");
    expect(body).toContain(`href="/licenses/${second.id}/odrl"`);
    expect(body).toContain('href="/portal/docs/licenses#checking-many-at-once"');
  });

  it.each(["00000000-0000-4000-8000-000000000000", "nonsense", "%27%20or%201=1"])(
    "is 404 for the unknown id %s, with the status unknown",
    async (id) => {
      const json = await api.get(`/licenses/${id}`, asJson);
      expect(json.statusCode).toBe(404);
      expect(json.json()).toMatchObject({
        status: "error",
        error: { code: "not_found" },
        data: { license: { status: "unknown" } },
      });
      const page = await api.get(`/licenses/${id}`, asPage);
      expect(page.statusCode).toBe(404);
      expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(page.body).toContain("No license has this address.");
    },
  );

  it("escapes names", async () => {
    const name = `<script>alert(1)</script>"'&{producer}`;
    const { id } = await issueLicense({
      beatTitle: name,
      files: [{ kind: "mp3", filename: name, bytes: 1, sha256: "ab".repeat(32) }],
    });
    const { body } = await api.get(`/licenses/${id}`, asPage);
    expect(body).not.toContain("<script>alert");
    expect(body).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;{producer}");
  });
});

describe("/.well-known/jwks.json", () => {
  it("has every public key, newest first, for any origin and with a short cache time", async () => {
    const { webhookSecrets } = await import("../../../test/harness/api.ts");
    const first = await rotateKey(db, webhookSecrets, new Date());
    const second = await rotateKey(db, webhookSecrets, new Date());
    const { statusCode, headers, body } = await api.get("/.well-known/jwks.json", { key: null });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "cache-control": "public, max-age=300",
      "access-control-allow-origin": "*",
      "content-type": "application/jwk-set+json",
    });
    const { keys } = JSON.parse(body);
    expect(keys.map(({ kid }: { kid: string }) => kid)).toEqual([second, first]);
    expect(keys[0]).toEqual({
      kty: "OKP",
      crv: "Ed25519",
      use: "sig",
      alg: "EdDSA",
      kid: second,
      x: expect.stringMatching(/^[\w-]{43}$/),
    });
  });
});
