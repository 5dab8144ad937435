import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { uses } from "@beatmarket/license-terms/judge.ts";
import { type LicenseType, licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import type { ChangedLimits } from "@beatmarket/license-terms/limits.ts";
import { readBlocks, withNames } from "@beatmarket/license-terms/terms-text.ts";
import { afterAll, describe, expect, it } from "vitest";
import { consoleType, testApi } from "../../../../test/harness/api.ts";
import { insertLicense } from "../../../../test/harness/database/licenses.ts";

const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-answers-"));
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const clock = new FakeClock(Date.UTC(2027, 0, 15, 12));
const api = await testApi({ dataDir, clock });
const db = api.database.query;

const ask = (id: string, payload: object, { key = null, accept = "application/json", ip = "" } = {} as AskOptions) =>
  api.request({
    method: "POST",
    url: `/v1/licenses/${id}/may`,
    headers: { accept, ...(key !== null && { authorization: `Bearer ${key}` }) },
    payload,
    ...(ip !== "" && { remoteAddress: ip }),
  });
interface AskOptions {
  key?: string | null;
  accept?: string;
  ip?: string;
}
const verdictOf = async (id: string, question: object) =>
  (await ask(id, question, { key: api.key })).json().data.verdict;

describe("POST /licenses/{license_id}/may", () => {
  it("answers anyone in both forms, with the deciding sentence and the purchase that allows the use", async () => {
    const { id } = await insertLicense(api.database);
    const expectedVerdict = {
      license_id: id,
      status: "valid",
      replaced_by: null,
      use: "streams",
      quantity: 250_000,
      territory: "DE",
      on: "2027-01-15",
      allowed: "no",
      because: {
        clause: "streams",
        text: "Streaming: up to 100,000 audio and video streams on all services together, paid or not.",
        limit: 100_000,
        used: null,
      },
      remedy: { upgrade: "premium", renew: null, price: 59.8, currency: "USD", valid_until: "2037-01-14" },
    };
    const question = { use: "streams", quantity: 250_000, territory: "DE" };
    const reference = await ask(id, question);
    expect(reference.statusCode).toBe(200);
    expect(reference.json()).toEqual({ status: "success", data: { verdict: expectedVerdict } });
    const console = await ask(id, question, { key: api.key, accept: consoleType });
    expect(console.json()).toEqual({ success: true, data: reference.json().data.verdict });
    expect(reference.headers).not.toHaveProperty("x-ratelimit-limit");
  });

  it("is yes up to the limit, and unknown for a use that the terms do not mention", async () => {
    const { id } = await insertLicense(api.database);
    expect(await verdictOf(id, { use: "streams", quantity: 100_000 })).toMatchObject({ allowed: "yes", remedy: null });
    expect(await verdictOf(id, { use: "podcast" })).toMatchObject({
      allowed: "unknown",
      because: { clause: "song", text: expect.stringMatching(/^The right to use the beat in one new song/) },
      remedy: null,
    });
    expect(await verdictOf(id, { use: "content_id_of_song" })).toMatchObject({
      allowed: "unknown",
      because: { clause: "content_id" },
    });
  });

  it("is `no` for a refunded license and after the last day; the remedy is a new license, or null for a past day", async () => {
    const refunded = await insertLicense(api.database);
    await db
      .updateTable("orders")
      .set({ refunded_cents: 2990, refunded_at: clock.now() })
      .where("id", "=", refunded.orderId)
      .execute();
    const renewed = { upgrade: null, renew: "basic", valid_until: "2032-01-14" };
    expect(await verdictOf(refunded.id, { use: "streams" })).toMatchObject({
      status: "refunded",
      allowed: "no",
      because: { clause: "refund", text: expect.stringMatching(/^A full refund of the order ends this license/) },
      remedy: renewed,
    });
    const expired = await insertLicense(api.database, { purchasedAt: new Date("2022-01-10T08:00:00Z") });
    expect(await verdictOf(expired.id, { use: "streams" })).toMatchObject({
      status: "expired",
      allowed: "no",
      because: { clause: "years", limit: 5 },
      remedy: renewed,
    });
    expect(await verdictOf(expired.id, { use: "streams", on: "2027-01-09" })).toMatchObject({ allowed: "yes" });
    expect(await verdictOf(expired.id, { use: "streams", on: "2027-01-10" })).toMatchObject({
      allowed: "no",
      remedy: null,
    });
  });

  it("decides about stems by the files of the certificate", async () => {
    const file = { filename: "a", bytes: 1, sha256: "ab".repeat(32) };
    const insertWithFile = (kind: string) =>
      insertLicense(api.database, { licenseType: "unlimited", files: [{ kind, ...file }] });
    expect(await verdictOf((await insertWithFile("stems")).id, { use: "stems" })).toMatchObject({ allowed: "yes" });
    expect(await verdictOf((await insertWithFile("mp3")).id, { use: "stems" })).toMatchObject({
      allowed: "no",
      remedy: null,
    });
  });

  it.each([
    [{ use: "Streams" }, "use"],
    [{ use: "" }, "use"],
    [{ use: "streams", quantity: 0 }, "quantity"],
    [{ use: "streams", quantity: 1_000_000_001 }, "quantity"],
    [{ use: "streams", quantity: "many" }, "quantity"],
    [{ use: "streams", territory: "Germany" }, "territory"],
    [{ use: "streams", on: "2027-02-30" }, "on"],
    [{ use: "streams", on: "2026-11-21" }, "on"],
    [{ quantity: 1 }, "use"],
    [{ use: "streams", songs: 1 }, "songs"],
  ])("answers 400 for %j, with the field in the details", async (question, field) => {
    const { id } = await insertLicense(api.database);
    const response = await ask(id, question);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(field);
  });

  it("answers 404 for an unknown license, and 401 for an invalid key", async () => {
    for (const id of ["00000000-0000-4000-8000-000000000000", "nonsense"])
      for (const key of [null, api.key]) expect((await ask(id, { use: "streams" }, { key })).statusCode).toBe(404);
    const { id } = await insertLicense(api.database);
    expect((await ask(id, { use: "streams" }, { key: "bm_nonsense" })).statusCode).toBe(401);
  });

  it("answers 429 without a key above the rate of a network, but not with a key", async () => {
    const { id } = await insertLicense(api.database);
    const from = { ip: "203.0.113.7" };
    const statuses = [];
    for (let count = 0; count < 121; count++) statuses.push((await ask(id, { use: "streams" }, from)).statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(120);
    const refusal = await ask(id, { use: "streams" }, from);
    expect([refusal.statusCode, refusal.headers["retry-after"]]).toEqual([429, "5"]);
    expect((await ask(id, { use: "streams" }, { ...from, key: api.key })).statusCode).toBe(200);
    clock.advance(60_000);
    expect((await ask(id, { use: "streams" }, from)).statusCode).toBe(200);
  });
});

describe("every answer", () => {
  const limits: Partial<Record<LicenseType, ChangedLimits>> = {
    basic: { streams: 1_000, videos: 0, paid_performances: 1, years: 1 },
    premium: { copies: 777, radio_stations: 0 },
  };
  const licenses = licenseTypes.flatMap((licenseType) =>
    [null, limits[licenseType] ?? null].map((changedLimits) => ({ licenseType, changedLimits })),
  );

  it.each(licenses)(
    "of %j has a sentence of the certificate, and each purchase that it names allows the use",
    async (sold) => {
      const facts = await insertLicense(api.database, sold);
      const publicLicense = (await api.get(`/licenses/${facts.id}`, { key: null, accept: "application/json" })).json()
        .data.license;
      const names = { beat: facts.beatTitle, producer: facts.producerName };
      const sentences = readBlocks(withNames(publicLicense.terms.text, names)).map(({ text }) => text);
      const answers = [];
      for (const use of [...Object.keys(uses), "podcast"])
        for (const quantity of [1, 3, 51, 5_000, 700_000])
          answers.push(await verdictOf(facts.id, { use, quantity, territory: "JP" }));
      for (const { because } of answers) expect(sentences).toContain(because.text);
      expect(new Set(answers.map(({ allowed }) => allowed)).size).toBe(3);
      const remedies = answers.filter(({ remedy }) => remedy !== null);
      expect(remedies.length > 0).toBe(sold.licenseType !== "exclusive");
      const licenseOfType = new Map<string, string>();
      for (const { use, quantity, territory, remedy } of remedies) {
        const type: LicenseType = remedy.upgrade ?? remedy.renew;
        const id =
          licenseOfType.get(type) ??
          (await insertLicense(api.database, { licenseType: type, purchasedAt: clock.now() })).id;
        licenseOfType.set(type, id);
        expect(await verdictOf(id, { use, quantity, territory })).toMatchObject({ allowed: "yes" });
      }
    },
  );
});
