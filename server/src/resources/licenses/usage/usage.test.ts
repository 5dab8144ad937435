import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { consoleType, testApi } from "../../../../test/harness/api.ts";
import { insertLicense } from "../../../../test/harness/database/licenses.ts";
import { eraseUsage } from "./report-usage.ts";

const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-usage-"));
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const clock = new FakeClock(Date.UTC(2027, 0, 15, 12));
const api = await testApi({ dataDir, clock });
const db = api.database.query;

let license: Awaited<ReturnType<typeof insertLicense>>;
beforeEach(async () => {
  license = await insertHeldLicense();
});

/** Inserts a basic license of the key's account. Its limits are 100,000 streams, 2,000 copies and 1 video. */
const insertHeldLicense = () => insertLicense(api.database, { buyerId: api.userId });

const call = (
  method: "GET" | "POST",
  path: string,
  options: { payload?: unknown; headers?: object; key?: string } = {},
) =>
  api.request({
    method,
    url: `/v1/licenses/${license.id}/${path}`,
    headers: { authorization: `Bearer ${options.key ?? api.key}`, ...options.headers },
    ...(options.payload !== undefined && { payload: options.payload as object }),
  });
const january = { use: "streams", period: "2027-01", source: "Distributor" };
const report = (payload: object, options: { headers?: object; key?: string } = {}) =>
  call("POST", "usage", { ...options, payload });
const streams = (quantity: number, more: object = {}) => report({ ...january, quantity, ...more });
const file = (text: string, type = "text/csv") =>
  call("POST", "usage.csv", { payload: text, headers: { "content-type": type } });
const sumsNow = async () => (await call("GET", "usage")).json().data.usage.sums;
/**
 * The usage events of this license, lowest percentage first. They are sorted here because event ids of one moment have
 * no order.
 */
const usageEvents = async () => {
  const events = await db.selectFrom("events").select("payload").where("type", "=", "license.usage").execute();
  return events
    .map(({ payload }) => JSON.parse(payload).data as { license_id: string; percent: number })
    .filter(({ license_id }) => license_id === license.id)
    .toSorted((one, other) => one.percent - other.percent);
};
const mails = async () =>
  (await db.selectFrom("outgoing_mails").select("facts").where("template", "=", "license-usage").execute())
    .map(({ facts }) => facts as unknown as Record<string, string>)
    .filter(({ order }) => order === String(license.orderId))
    .toSorted((one, other) => Number(one.percent) - Number(other.percent));

describe("POST /licenses/{license_id}/usage", () => {
  it("stores a report and returns it with the sums, in both forms", async () => {
    const response = await streams(12_000);
    expect(response.statusCode).toBe(200);
    const usage = {
      license_id: license.id,
      reports: [{ ...january, quantity: 12_000 }],
      sums: [
        { use: "streams", used: 12_000, limit: 100_000 },
        { use: "copies", used: 0, limit: 2_000 },
        { use: "videos", used: 0, limit: 1 },
      ],
    };
    expect(response.json()).toEqual({ status: "success", data: { usage } });
    const console = await report({ ...january, quantity: 12_000 }, { headers: { accept: consoleType } });
    expect(console.json()).toEqual({ success: true, data: usage });
    expect((await call("GET", "usage")).json().data.usage).toEqual(usage);
  });

  it("ignores a repeated report, replaces a report if the quantity differs, and adds up periods and sources", async () => {
    await streams(12_000);
    const storedAt = async () =>
      (await db.selectFrom("license_usage").select("reported_at").where("license_id", "=", license.id).execute())[0]
        ?.reported_at;
    const first = await storedAt();
    clock.advance(1_000);
    await streams(12_000);
    expect(await storedAt()).toEqual(first);
    await streams(9_000);
    expect((await sumsNow())[0].used).toBe(9_000);
    await streams(500, { period: "2026-12" });
    await streams(30, { source: "Another" });
    expect((await sumsNow())[0].used).toBe(9_530);
  });

  it("adds up concurrent reports, and writes one event for each level", async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, source) => streams(20_000, { source: `Source ${source}` })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200));
    expect((await sumsNow())[0].used).toBe(120_000);
    expect((await usageEvents()).map(({ percent }) => percent)).toEqual([80, 100]);
  });

  it.each([
    [{ ...january, quantity: -1 }, "quantity"],
    [{ ...january, quantity: 1_000_000_001 }, "quantity"],
    [{ ...january, quantity: 1, use: "radio_stations" }, "use"],
    [{ ...january, quantity: 1, period: "2027-13" }, "period"],
    [
      { ...january, quantity: 1, period: "2027-02" },
      "The period field is 2027-02, which is in the future; the present month is 2027-01",
    ],
    [{ ...january, quantity: 1, period: "2026-10" }, "before the month of the order, 2026-11"],
    [{ ...january, quantity: 1, source: "" }, "source"],
    [{ use: "streams", quantity: 1, period: "2027-01" }, "source"],
  ])("answers 400 to %j and names the field", async (payload, details) => {
    const response = await report(payload);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(details);
    expect((await sumsNow())[0].used).toBe(0);
  });

  it("answers 404 to another account, 403 without orders:write, and 401 to an unknown key", async () => {
    const stranger = await api.makeKey({ email: "stranger@example.com" });
    expect((await report({ ...january, quantity: 1 }, { key: stranger })).statusCode).toBe(404);
    expect((await call("GET", "usage", { key: stranger })).statusCode).toBe(404);
    const reader = await api.makeKey({ email: "tester@example.com", permissions: ["orders:read"] });
    expect((await report({ ...january, quantity: 1 }, { key: reader })).statusCode).toBe(403);
    expect((await call("GET", "usage", { key: reader })).statusCode).toBe(200);
    expect((await report({ ...january, quantity: 1 }, { key: "bm_nonsense" })).statusCode).toBe(401);
  });
});

describe("the levels of a limit", () => {
  it("are each reported once, by an event and a mail to the holder that name the next license", async () => {
    await streams(79_999);
    expect(await usageEvents()).toEqual([]);
    await streams(80_000);
    const remedy = { license_type: "premium", price: expect.any(Number), currency: "USD" };
    const at80 = { license_type: "basic", use: "streams", percent: 80, used: 80_000, limit: 100_000, remedy };
    expect(await usageEvents()).toEqual([expect.objectContaining({ order_id: license.orderId, ...at80 })]);
    await streams(70_000);
    await streams(90_000);
    expect(await usageEvents()).toHaveLength(1);
    await streams(100_000);
    expect(await usageEvents()).toEqual([expect.objectContaining(at80), expect.objectContaining({ percent: 100 })]);
    expect(await mails()).toEqual([
      expect.objectContaining({
        percent: "80",
        remedy: expect.stringMatching(/buy the premium license\. It costs \S+ USD today/),
      }),
      expect.objectContaining({ percent: "100" }),
    ]);
  });

  it("cause two events and one mail if one report passes both, and nothing if a report says 0", async () => {
    await streams(250_000);
    expect(await usageEvents()).toEqual([
      expect.objectContaining({ percent: 80, used: 250_000 }),
      expect.objectContaining({ percent: 100, used: 250_000 }),
    ]);
    expect(await mails()).toEqual([expect.objectContaining({ percent: "100" })]);
    license = await insertHeldLicense();
    await report({ ...january, use: "videos", quantity: 0 });
    expect(await usageEvents()).toEqual([]);
  });
});

describe("a report to a license that was replaced or refunded", () => {
  const replaceBy = (licenseType: "basic" | "premium") =>
    insertLicense(api.database, { buyerId: api.userId, licenseType, replaces: license.id });

  it("notifies only of the upgrade's limits, and records the levels of the replaced license", async () => {
    const premium = await replaceBy("premium");
    await streams(399_999);
    expect(await usageEvents()).toEqual([]);
    const ownLevels = db.selectFrom("license_usage_levels").select(["percent", "stands"]).orderBy("percent");
    expect(await ownLevels.where("license_id", "=", license.id).execute()).toEqual([
      { percent: 80, stands: true },
      { percent: 100, stands: true },
    ]);
    await streams(400_000);
    expect([await usageEvents(), await mails()]).toEqual([[], []]);
    license = premium;
    expect(await usageEvents()).toEqual([
      expect.objectContaining({ license_type: "premium", percent: 80, used: 400_000, limit: 500_000 }),
    ]);
    expect(await mails()).toEqual([expect.objectContaining({ license: "premium", percent: "80" })]);
  });

  it("causes no event after a renewal or a full refund", async () => {
    const renewal = await replaceBy("basic");
    await streams(100_000);
    const earlier = license;
    license = renewal;
    expect(await usageEvents()).toEqual([]);
    license = earlier;
    expect(await usageEvents()).toEqual([]);
    license = await insertHeldLicense();
    await db
      .updateTable("orders")
      .set({ refunded_cents: sql`amount_cents`, refunded_at: clock.now() })
      .where("id", "=", license.orderId)
      .execute();
    await streams(100_000);
    expect([await usageEvents(), await mails()]).toEqual([[], []]);
  });
});

describe("POST /licenses/{license_id}/may", () => {
  const ask = async (quantity: number, key: string | null = api.key) =>
    (
      await api.request({
        method: "POST",
        url: `/v1/licenses/${license.id}/may`,
        headers: key === null ? {} : { authorization: `Bearer ${key}` },
        payload: { use: "streams", quantity },
      })
    ).json().data.verdict;

  it("counts the reported usage only for a key of the holder with orders:read", async () => {
    expect((await ask(1)).because.used).toBeNull();
    await streams(95_000);
    expect(await ask(5_000)).toMatchObject({ allowed: "yes", quantity: 5_000, because: { used: 95_000 } });
    expect(await ask(5_001)).toMatchObject({
      allowed: "no",
      because: { used: 95_000 },
      remedy: { upgrade: "premium" },
    });
    const stranger = await api.makeKey({ email: "stranger@example.com" });
    const withoutOrders = await api.makeKey({ permissions: ["beats:read"] });
    for (const key of [null, stranger, withoutOrders])
      expect(await ask(5_001, key)).toMatchObject({ allowed: "yes", because: { used: null } });
  });
});

describe("POST /licenses/{license_id}/usage.csv", () => {
  it("stores the rows of a file, adds up rows of the same use, period and source, and may be repeated", async () => {
    const text =
      '\ufeffPeriod,use,source,quantity\r\n2026-12,streams,"Distributor, Inc.",700\r\n2026-12,streams,"Distributor, Inc.",300\r\n2026-12,copies,Shop,5\r\n';
    for (let count = 0; count < 2; count++) {
      const response = await file(text, "text/csv; charset=utf-8");
      expect(response.statusCode, response.body).toBe(200);
      expect(response.json().data.usage.sums.map(({ used }: { used: number }) => used)).toEqual([1_000, 5, 0]);
    }
  });

  it.each([
    [
      "use,quantity,period,source,country\nstreams,1,2027-01,A,DE",
      'Row 1 of the file has the unknown column "country"',
    ],
    ["use,quantity,period\nstreams,1,2027-01", "Row 1 of the file lacks the column source"],
    ["use,use,quantity,period,source", "Row 1 of the file names the column use twice"],
    ["use,quantity,period,source", "Row 2 of the file is missing"],
    ["use,quantity,period,source\nstreams,1,2027-01,A\nradio,1,2027-01,A", 'Row 3 of the file has the use "radio"'],
    ["use,quantity,period,source\nstreams,1.5,2027-01,A", 'Row 2 of the file has the quantity "1.5"'],
    ["use,quantity,period,source\nstreams,1,January,A", 'Row 2 of the file has the period "January"'],
    ["use,quantity,period,source\nstreams,1,2027-01,", "Row 2 of the file has no source"],
    ["use,quantity,period,source\nstreams,1,2027-01,A\nstreams,1", "Row 3 of the file is not valid CSV"],
    ["use,quantity,period,source\nstreams,1,2027-01,A\nstreams,1,2030-01,A", "The period field is 2030-01"],
  ])("answers 400 to %j with the reason, and stores nothing", async (text, details) => {
    const response = await file(text);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(details);
    expect((await sumsNow())[0].used).toBe(0);
  });

  it("answers 415 to another type, and 413 to more than 1 MB", async () => {
    expect((await file("{}", "application/json")).statusCode).toBe(415);
    const long = `use,quantity,period,source\n${"streams,1,2027-01,A long source\n".repeat(40_000)}`;
    expect((await file(long)).statusCode).toBe(413);
  });
});

it("erasing the holder's account deletes the reports", async () => {
  await streams(100_000);
  await eraseUsage(db, api.userId);
  for (const table of ["license_usage", "license_usage_levels"] as const)
    expect(await db.selectFrom(table).selectAll().where("license_id", "=", license.id).execute()).toEqual([]);
});
