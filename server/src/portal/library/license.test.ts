import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { issueTestLicense } from "../../../test/harness/database/licenses.ts";
import { placeTestOrder } from "../../../test/harness/database/place-order.ts";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";

const clock = new FakeClock(Date.UTC(2027, 0, 15, 12));
let portal: TestPortal;
let ada: SignedInVisitor;
let beat = 0;
beforeAll(async () => {
  portal = await testPortal({ clock });
  ada = await portal.signUp("ada@example.com");
  [beat = 0] = await insertBeats(portal.database, [{ title: "Midnight", producer: "Nightowl", priceCents: 2_990 }]);
  await portal.database.driver`update beats set premium_price_cents = 5990, unlimited_price_cents = 9990,
    exclusive_price_cents = 35990 where id = ${beat}`;
});

async function buy(): Promise<{ path: string; licenseId: string; order: number }> {
  const { id } = await placeTestOrder(portal.database, { userId: ada.userId, beatId: beat });
  await portal.database
    .driver`update orders set terms_version = (select max(version) from license_terms) where id = ${id}`;
  return {
    path: `/library/orders/${id}/license`,
    licenseId: await issueTestLicense(portal.database, id),
    order: id,
  };
}

test("a license shows its upgrades with their prices, and a usage report raises its sums", async () => {
  const { path, licenseId } = await buy();
  const license = (await ada.get(path)).json();
  expect(license).toMatchObject({
    id: licenseId,
    license_type: "basic",
    status: "valid",
    currency: "USD",
    no_upgrade_reason: null,
    upgrades: [
      { license_type: "premium", is_renewal: false, price: 59.9, amount: 30 },
      { license_type: "unlimited", price: 99.9, amount: 70 },
      { license_type: "exclusive", price: 359.9, amount: 330 },
    ],
  });
  const period = license.ordered_month;
  const reported = await ada.send("POST", `${path}/usage`, { use: "streams", quantity: 12, period, source: "Shop" });
  expect(reported.json().usage).toMatchObject({ reports: [{ use: "streams", quantity: 12, source: "Shop" }] });
  const csv = `use,quantity,period,source\nstreams,30,${period},Other\ncopies,4,${period},Other\n`;
  const filed = await ada.send("POST", `${path}/usage-file`, { csv });
  expect(filed.json().usage.sums).toMatchObject([
    { use: "streams", used: 42 },
    { use: "copies", used: 4 },
    { used: 0 },
  ]);
  const wrong = await ada.send("POST", `${path}/usage-file`, {
    csv: "use,quantity,period,source\nstreams,x,2027-01,Shop\n",
  });
  expect([wrong.statusCode, wrong.json().error.details]).toEqual([400, expect.stringContaining("Row 2 of the file")]);
  expect((await ada.get(path)).json().usage.reports).toHaveLength(3);
});

test("a report of 530 kB is accepted, and a report of more than 1,000,000 characters is refused", async () => {
  const { path } = await buy();
  const period = (await ada.get(path)).json().ordered_month;
  const header = "use,quantity,period,source\n";
  const row = `streams,1,${period},${"x".repeat(90)}\n`;
  const filed = await ada.send("POST", `${path}/usage-file`, { csv: header + row.repeat(4_900) });
  expect([filed.statusCode, filed.json().usage?.sums[0].used]).toEqual([200, 4_900]);
  expect((await ada.send("POST", `${path}/usage-file`, { csv: "x".repeat(1_000_001) })).statusCode).toBe(400);
});

test("a license is 404 for others, 409 without a certificate, and shows the reason if there is no upgrade", async () => {
  const { path, order } = await buy();
  const eve = await portal.signUp();
  expect((await eve.get(path)).statusCode).toBe(404);
  expect(
    (await eve.send("POST", `${path}/usage`, { use: "streams", quantity: 1, period: "2027-01", source: "S" }))
      .statusCode,
  ).toBe(404);
  expect((await portal.visitor().get(path)).statusCode).toBe(401);
  await portal.database
    .driver`update orders set refunded_cents = amount_cents, refunded_at = now() where id = ${order}`;
  expect((await ada.get(path)).json()).toMatchObject({
    status: "refunded",
    upgrades: [],
    no_upgrade_reason: expect.stringContaining("was refunded in full"),
  });
  const { id } = await placeTestOrder(portal.database, { userId: ada.userId, beatId: beat });
  expect((await ada.get(`/library/orders/${id}/license`)).statusCode).toBe(409);
});

test("only the holder of a license can send the form that adds an upgrade to the basket", async () => {
  const { licenseId } = await buy();
  const send = (headers: Record<string, string>) =>
    portal.api.request({
      method: "POST",
      url: "/basket",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: "https://localhost:8443",
        ...headers,
      },
      payload: `beat_id=${beat}&license_type=premium&price=3000&upgrades=${licenseId}`,
    });
  const stranger = await send({});
  expect([stranger.statusCode, stranger.headers.location]).toEqual([
    303,
    `/portal/sign-in?next=${encodeURIComponent(`/licenses/${licenseId}`)}`,
  ]);
  const eve = await portal.signUp();
  expect((await send({ cookie: eve.cookie() })).statusCode).toBe(404);
  expect((await send({ cookie: ada.cookie() })).headers.location).toBe("/basket");
  const items = await portal.database
    .driver`select upgrades_license, seen_cents::int from basket_items where user_id = ${ada.userId}`;
  expect(items).toEqual([{ upgrades_license: licenseId, seen_cents: 3_000 }]);
});
