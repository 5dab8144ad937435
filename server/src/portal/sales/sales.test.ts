import { beforeAll, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { insertLicense } from "../../../test/harness/database/licenses.ts";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";

let portal: TestPortal;
let ada: SignedInVisitor;
let eve: SignedInVisitor;
let beat = 0;
let second = 0;
beforeAll(async () => {
  portal = await testPortal();
  ada = await portal.signUp("ada@example.com");
  eve = await portal.signUp("eve@example.com", "Eve");
  [beat = 0, second = 0] = await insertBeats(portal.database, [{ title: "Midnight" }, { title: "Noon" }]);
  const { driver } = portal.database;
  await driver`update beats set user_id = ${ada.userId} where id in (${beat}, ${second})`;
  // One sale a day. Sale n costs n cents; every fifth sale is in euros, every fourth has a refund of one cent, and some
  // sales are not completed.
  await driver`
    insert into orders (user_id, beat_id, title, producer_id, producer_name, license_type, amount_cents, currency, status,
      failure_reason, completed_at, payment_method, payment_provider, payment_key, created_at, buyer_name, refunded_cents,
      refunded_at)
    select ${eve.userId}, case when n % 3 = 0 then ${second}::bigint else ${beat}::bigint end,
      case when n % 3 = 0 then 'Noon' else 'Midnight' end, ${ada.userId}, 'Ada', 'basic', n,
      case when n % 5 = 0 then 'EUR' else 'USD' end, case when n > 60 then 'failed' else 'completed' end,
      case when n > 60 then 'declined' end,
      case when n <= 60 then timestamptz '2026-01-01T12:00Z' + n * interval '1 day' end,
      'pm_card_visa', 'sandbox', gen_random_uuid()::text, '2026-01-01', 'Eve', (n % 4 = 0 and n <= 60)::integer,
      case when n % 4 = 0 and n <= 60 then timestamptz '2026-04-01' end
    from generate_series(1, 65) n`;
});

const csv = (month: string, visitor?: SignedInVisitor) =>
  portal.api.request({
    method: "GET",
    url: `/portal/api/sales.csv?month=${month}`,
    headers: visitor === undefined ? {} : { cookie: visitor.cookie() },
  });

test("every route of the sales is 401 without a session", async () => {
  for (const path of ["/sales", "/sales/beats", "/sales/nearly-used"])
    expect((await portal.visitor().get(path)).statusCode).toBe(401);
  expect((await csv("2026-01")).statusCode).toBe(401);
});

test("sales are listed newest first with the buyer's name, and the sums cover all pages, by currency", async () => {
  const first = (await ada.get("/sales")).json();
  expect(first).toMatchObject({ page: 1, last_page: 3 });
  expect(first.sales).toHaveLength(20);
  expect(first.sales[0]).toMatchObject({ amount: 0.6, buyer: { name: "Eve" }, license_url: null });
  // 1 + … + 60 = 1830; multiples of 5: 5 × 78 = 390. Of 15 refunds 3 are in euros.
  expect(first.sums).toEqual([
    { currency: "EUR", sales: 12, sold: 3.9, refunded: 0.03, net: 3.87 },
    { currency: "USD", sales: 48, sold: 14.4, refunded: 0.12, net: 14.28 },
  ]);
  expect((await ada.get("/sales?page=3")).json().sums).toEqual(first.sums);
});

test("filters apply to the sums, too", async () => {
  // The days of sales 10 to 13. Sale 12 sold the second beat.
  const span = "from=2026-01-11&to=2026-01-15";
  const { sales, sums } = (await ada.get(`/sales?${span}&beat=${beat}`)).json();
  expect(sales.map(({ amount }: { amount: number }) => amount)).toEqual([0.13, 0.11, 0.1]);
  expect(sums).toEqual([
    { currency: "EUR", sales: 1, sold: 0.1, refunded: 0, net: 0.1 },
    { currency: "USD", sales: 2, sold: 0.24, refunded: 0, net: 0.24 },
  ]);
  expect((await ada.get("/sales?from=2026-02-01&to=2026-01-01")).statusCode).toBe(400);
});

test("the filter offers the sold beats, most recently sold first", async () => {
  expect((await ada.get("/sales/beats")).json().beats).toEqual([
    { id: second, title: "Noon" },
    { id: beat, title: "Midnight" },
  ]);
});

test("the sales of a month are a CSV file, and an invalid month is 400", async () => {
  const file = await csv("2026-02", ada);
  expect(file.headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(file.headers["content-disposition"]).toBe('attachment; filename="sales-2026-02.csv"');
  expect(file.body.trimEnd().split("\r\n")).toHaveLength(1 + 28);
  expect((await csv("may", ada)).statusCode).toBe(400);
});

test("another account sees none of the sales", async () => {
  expect((await eve.get("/sales")).json()).toMatchObject({ sales: [], sums: [] });
  expect((await eve.get("/sales/beats")).json().beats).toEqual([]);
  const file = await csv("2026-02", eve);
  expect(file.body.trimEnd().split("\r\n")).toHaveLength(1);
});

test("each sale shows the state of its license, and only valid licenses are listed as nearly used up", async () => {
  const { database } = portal;
  const { driver } = database;
  const nina = await portal.signUp("nina@example.com", "Nina");
  const seller = { buyerId: eve.userId, producerId: nina.userId };
  const sell = async (facts: Parameters<typeof insertLicense>[1] = {}) => {
    const { id, orderId } = await insertLicense(database, { ...seller, purchasedAt: new Date(), ...facts });
    await driver`insert into license_usage_levels (license_id, use, percent, reached_at, stands)
      values (${id}, 'streams', 80, now(), true)`;
    return { id, orderId };
  };
  const replace = (old: { id: string }, licenseType: "basic" | "premium") => sell({ licenseType, replaces: old.id });
  const refund = ({ orderId }: { orderId: number }, cents: number) =>
    driver`update orders set refunded_cents = ${cents}, refunded_at = now() where id = ${orderId}`;
  const longAgo = new Date("2020-01-01T12:00:00Z");

  const valid = await sell();
  const expired = await sell({ purchasedAt: longAgo });
  const refunded = await sell();
  await refund(refunded, 2_990);
  const partly = await sell();
  await refund(partly, 100);
  const upgraded = await sell();
  const upgrade = await replace(upgraded, "premium");
  const renewed = await sell({ purchasedAt: longAgo });
  const renewal = await replace(renewed, "basic");
  const restored = await sell();
  const undone = await replace(restored, "premium");
  await refund(undone, 2_990);

  const { sales } = (await nina.get("/sales")).json();
  const standings = sales.map((sale: { id: number; license_status: string; replaces: object | null }) => [
    sale.id,
    sale.license_status,
    sale.replaces,
  ]);
  const stands = ({ orderId }: { orderId: number }, status: string, replaces: object | null = null) => [
    orderId,
    status,
    replaces,
  ];
  const expected = [
    stands(valid, "valid"),
    stands(expired, "expired"),
    stands(refunded, "refunded"),
    stands(partly, "valid"),
    stands(upgraded, "replaced"),
    stands(upgrade, "valid", { order_id: upgraded.orderId, is_renewal: false }),
    stands(renewed, "replaced"),
    stands(renewal, "valid", { order_id: renewed.orderId, is_renewal: true }),
    stands(restored, "valid"),
    stands(undone, "refunded", { order_id: restored.orderId, is_renewal: false }),
  ];
  expect(standings).toHaveLength(expected.length);
  expect(standings).toEqual(expect.arrayContaining(expected));

  const { licenses } = (await nina.get("/sales/nearly-used")).json();
  const listed = licenses.map(({ order_id }: { order_id: number }) => order_id).sort();
  expect(listed).toEqual([valid, partly, upgrade, renewal, restored].map(({ orderId }) => orderId).sort());
  expect(licenses[0]).toMatchObject({ use: "streams", percent: 80, buyer: "Eve", license_type: expect.any(String) });
});
