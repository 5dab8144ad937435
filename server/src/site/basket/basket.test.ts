import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { publicUrl } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { mailedToken, testPassword, testPortal } from "../../../test/harness/portal.ts";
import { testSeller } from "../../../test/harness/seller.ts";
import { createDiscount, type DiscountFields } from "../../resources/discounts/discounts.ts";

const clock = new FakeClock(Date.UTC(2026, 10, 1, 9, 30));
const portal = await testPortal({ clock, seller: testSeller });
const { driver } = portal.database;

let [one, two] = [0, 0];
beforeEach(async () => {
  [one = 0, two = 0] = await insertBeats(portal.database, [
    { title: "Midnight", producer: "Nightowl", priceCents: 2990 },
    { title: "Sunrise", producer: "Lark", priceCents: 1990 },
  ]);
  // An hour later, so that the limit of payments per network does not carry over from the last test.
  clock.advance(3_600_000);
});

/** A browser that sends its cookies and the origin of its pages, and follows no redirect. */
function browser({ cookie = "", address = "192.0.2.1" } = {}) {
  const jar = new Map<string, string>();
  const call = async (method: "GET" | "POST", path: string, form?: Record<string, string>, origin = publicUrl) => {
    const cookies = [cookie, ...[...jar].map(([name, value]) => `${name}=${value}`)].filter((text) => text !== "");
    const response = await portal.api.request({
      method,
      url: path,
      remoteAddress: address,
      headers: {
        ...(cookies.length > 0 && { cookie: cookies.join("; ") }),
        ...(form !== undefined && { origin, "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form !== undefined && { payload: new URLSearchParams(form).toString() }),
    });
    for (const set of [response.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  return {
    jar,
    get: (path: string) => call("GET", path),
    post: (path: string, form: Record<string, string>, origin?: string) => call("POST", path, form, origin),
    add: (beat: number, license_type = "basic", price = 2990) =>
      call("POST", "/basket", { beat_id: String(beat), license_type, price: String(price) }),
    pay: (fields: Record<string, string>) =>
      call("POST", "/basket/checkout", { email: "buyer@example.com", ...fields }),
    items: async () => (await call("GET", "/basket/items")).json().items,
  };
}

const pathOf = (location: unknown): string => new URL(String(location), publicUrl).pathname;
const ordersOf = (email: string) =>
  driver`select orders.title, orders.license_type, orders.status, users.display_name from orders
    join users on users.id = orders.user_id where users.email = ${email} order by orders.id`;

describe("without an account", () => {
  it("a visitor buys two licenses with an e-mail address and no password, and can download the files", async () => {
    const buyer = browser();
    expect((await buyer.add(one)).headers.location).toBe("/basket");
    await buyer.add(two, "premium", 4000);
    const page = (await buyer.get("/basket")).body;
    expect(page).toContain("Midnight");
    expect(page).toContain("Sunrise");
    const total = /name="total" value="(\d+)"/.exec(page)?.[1] ?? "";
    const checkout = await buyer.pay({ total, name: "Robin Sand", time_zone: "Asia/Tokyo" });
    expect(checkout.statusCode).toBe(303);
    const path = pathOf(checkout.headers.location);
    expect(path).toMatch(/^\/pay\/checkouts\/checkout_/);
    expect(await buyer.items()).toEqual([]);
    const paid = await buyer.post(path, { card: "pm_card_visa" });
    const files = (await buyer.get(pathOf(paid.headers.location))).body;
    expect(files).toContain("The licenses are yours");
    const link = /href="([^"]+\/files\/\d+\/license)"/.exec(files)?.[1] ?? "";
    expect((await buyer.get(link)).statusCode).toBe(303);
    expect(await ordersOf("buyer@example.com")).toEqual([
      { title: "Midnight", license_type: "basic", status: "completed", display_name: "Robin Sand" },
      { title: "Sunrise", license_type: "premium", status: "completed", display_name: "Robin Sand" },
    ]);
    // Later mails have dates in the time zone of the buyer.
    expect(await driver`select time_zone from users where email = 'buyer@example.com'`).toEqual([
      { time_zone: "Asia/Tokyo" },
    ]);
  });

  it("the invoice has the optional details of the form, and invalid details are shown again", async () => {
    const buyer = browser();
    const billing = { billing_name: "Sand Ltd", billing_address: "1 High Street\r\nLondon", billing_country: "gb" };
    await buyer.add(one);
    const refusal = await buyer.pay({ ...billing, total: "2990", email: "billed@example.com", billing_country: "U1" });
    expect(refusal.statusCode).toBe(400);
    for (const part of ["The country is two letters", 'value="Sand Ltd"', '<details class="billing" open>'])
      expect(refusal.body).toContain(part);
    const checkout = await buyer.pay({ ...billing, total: "2990", email: "billed@example.com" });
    await buyer.post(pathOf(checkout.headers.location), { card: "pm_card_visa" });
    const buyers = await driver<
      { buyer: object }[]
    >`select facts -> 'buyer' as buyer from invoices order by id desc limit 1`;
    expect(buyers).toEqual([
      { buyer: { name: "Sand Ltd", address: ["1 High Street", "London"], country: "GB", vatId: null } },
    ]);
    // Anyone can type an address, so the account with this address keeps its details.
    expect(await driver`select * from billing_details`).toEqual([]);
  });

  it("no license is bought and no account is created before the payment", async () => {
    const buyer = browser();
    await buyer.add(one);
    await buyer.pay({ total: "2990", email: "nobody@example.com" });
    expect(await driver`select id from orders where beat_id = ${one}`).toEqual([]);
    expect(await driver`select id from users where email = 'nobody@example.com'`).toEqual([]);
  });

  it("another license of a beat replaces the first one, and an item can be removed", async () => {
    const buyer = browser();
    await buyer.add(one);
    await buyer.add(one, "premium", 5990);
    expect(await buyer.items()).toEqual([{ beat_id: one, license_type: "premium" }]);
    await buyer.post("/basket", { remove: String(one) });
    expect(await buyer.items()).toEqual([]);
    expect(buyer.jar.has("basket")).toBe(false);
  });

  it("a sold item is marked as sold, and is not part of the payment", async () => {
    const buyer = browser();
    await buyer.add(one);
    await buyer.add(two, "basic", 1990);
    await driver`update beats set exclusive_state = 'sold', exclusive_order_id = 1, is_listed = false where id = ${two}`;
    const page = (await buyer.get("/basket")).body;
    expect(page).toContain("No longer on sale");
    expect(page).toContain('name="total" value="2990"');
    const { headers } = await buyer.pay({ total: "2990" });
    expect((await buyer.get(pathOf(headers.location))).body).not.toContain("Sunrise");
  });

  it("a changed price is shown, and must be confirmed before the payment", async () => {
    const buyer = browser();
    await buyer.add(one);
    await buyer.get("/basket");
    await driver`update beats set price_cents = 3990 where id = ${one}`;
    const refusal = await buyer.pay({ total: "2990" });
    expect(refusal.statusCode).toBe(409);
    expect(refusal.body).toContain("Nothing was charged");
    expect(refusal.body).toContain("it was $29.90");
    expect(refusal.body).toContain('value="buyer@example.com"');
    expect((await buyer.pay({ total: "3990" })).statusCode).toBe(303);
  });

  it("an invalid e-mail address is reported, and the form keeps what was typed", async () => {
    const buyer = browser();
    await buyer.add(one);
    const refusal = await buyer.pay({ total: "2990", email: "not an address", name: "Robin" });
    expect(refusal.statusCode).toBe(400);
    expect(refusal.body).toContain("is not an e-mail address");
    expect(refusal.body).toContain('value="Robin"');
  });

  it("invalid items of a forged basket cookie are ignored, and titles are escaped", async () => {
    await driver`update beats set title = '<img src=x>' where id = ${one}`;
    const page = await browser({ cookie: `basket=${one}.basic.1_x_0.basic.1_${two}.gold.1_${two}.basic.-1_9.9` }).get(
      "/basket",
    );
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("&lt;img src=x&gt;");
    expect(page.body).not.toContain("<img src=x>");
    expect(page.body).not.toContain("Sunrise");
  });

  it("a form of another site is 403, and payments of one network above the limit are 429", async () => {
    const buyer = browser({ address: "192.0.2.77" });
    const form = { beat_id: String(one), license_type: "basic", price: "2990" };
    expect((await buyer.post("/basket", form, "https://evil.example")).statusCode).toBe(403);
    expect((await buyer.post("/basket/checkout", { total: "0" }, "https://evil.example")).statusCode).toBe(403);
    await buyer.add(one);
    const basket = buyer.jar.get("basket") ?? "";
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) {
      buyer.jar.set("basket", basket);
      statuses.push((await buyer.pay({ total: "2990" })).statusCode);
    }
    expect(statuses).toEqual([...Array(10).fill(303), 429]);
  });
});

describe("with an account", () => {
  it("the browser's basket becomes the account's, is the same in every browser, and is bought by the account", async () => {
    const ada = await portal.signUp();
    const stranger = browser();
    await stranger.add(one);
    const signedIn = browser({ cookie: `${ada.cookie()}; basket=${stranger.jar.get("basket")}` });
    expect(await signedIn.items()).toEqual([{ beat_id: one, license_type: "basic" }]);
    const other = browser({ cookie: ada.cookie() });
    await other.add(two, "basic", 1990);
    const page = (await other.get("/basket")).body;
    expect(page).toContain("Midnight");
    expect(page).not.toContain('name="email"');
    const { headers } = await other.post("/basket/checkout", { total: "4980" });
    await other.post(pathOf(headers.location), { card: "pm_card_visa" });
    expect(await other.items()).toEqual([]);
    expect(await ordersOf(ada.email)).toHaveLength(2);
    expect((await ada.get("/library/orders")).json().total).toBe(2);
  });
});

it("a person who registers with a basket has it on the device that opens the mail's link", async () => {
  const buyer = browser();
  await buyer.add(one, "premium", 5990);
  const registration = { name: "Eve", email: "eve@example.com", password: testPassword, next: "/basket" };
  await portal.visitor().send("POST", "/auth/register", registration, { cookie: `basket=${buyer.jar.get("basket")}` });
  const telephone = portal.visitor("203.0.113.7");
  const token = await mailedToken(portal.mails, "eve@example.com");
  await telephone.send("POST", "/auth/confirm", { token, password: testPassword });
  const other = browser({ cookie: telephone.cookie(), address: "203.0.113.7" });
  expect(await other.items()).toEqual([{ beat_id: one, license_type: "premium" }]);
});

it("orders of a guest appear in the library after a registration with the same e-mail address", async () => {
  const buyer = browser();
  await buyer.add(one);
  const { headers } = await buyer.pay({ total: "2990", email: "later@example.com", name: "Later" });
  await buyer.post(pathOf(headers.location), { card: "pm_card_visa" });
  const later = await portal.signUp("later@example.com", "Later");
  expect((await later.get("/library/orders")).json().total).toBe(1);
});

it("a form with `Origin: null` is accepted from the same origin (the portal's pages), and refused from another site (a sandboxed page)", async () => {
  const send = (site: string) =>
    portal.api.request({
      method: "POST",
      url: "/basket",
      headers: { origin: "null", "sec-fetch-site": site, "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams({ beat_id: String(one), license_type: "basic", price: "2990" }).toString(),
    });
  expect((await send("same-origin")).statusCode).toBe(303);
  expect((await send("cross-site")).statusCode).toBe(403);
});

describe("a discount code", () => {
  const discount = async (fields: Partial<DiscountFields> = {}) => {
    const [row] = await driver`select user_id::int as id from beats where id = ${one}`;
    const none = { percent: null, amount_cents: null, pack_size: null, pack_paid: null, max_uses: null };
    const any = { valid_from: null, valid_until: null, max_uses_per_buyer: null, beat_ids: null, license_types: null };
    return createDiscount(portal.database.query, {
      userId: row?.id,
      fields: {
        ...none,
        ...any,
        kind: "percent",
        percent: 10,
        name: "Spring <sale>",
        code: `spring-${one}`,
        ...fields,
      },
      now: new Date(clock.nowMs()),
    });
  };

  it("shows its reduction in the basket and on the payment's page, and reduces the charge", async () => {
    await discount();
    const buyer = browser();
    await buyer.add(one);
    const page = (await buyer.get(`/basket?code=spring-${one}`)).body;
    expect(page).toContain("Spring &lt;sale&gt;");
    expect(page).toContain('name="total" value="2691"');
    const paid = await buyer.pay({ total: "2691", code: `spring-${one}` });
    expect(paid.statusCode).toBe(303);
    const payment = (await buyer.get(pathOf(paid.headers.location))).body;
    expect(payment).toContain("−2.99 USD");
    expect(payment).toContain("26.91 USD");
  });

  it("shows the reason if it does not apply, and the basket can be paid without it", async () => {
    const buyer = browser();
    await buyer.add(one);
    const page = (await buyer.get("/basket?code=NOBODY")).body;
    expect(page).toContain("takes nothing off. There is no discount with this code.");
    expect(page).toContain('name="total" value="2990"');
    expect((await buyer.pay({ total: "2990", code: "NOBODY" })).statusCode).toBe(303);
  });

  it("limited to one use per buyer is applied once the e-mail address is known, and the new total must be confirmed", async () => {
    await discount({ max_uses_per_buyer: 1 });
    const buyer = browser();
    await buyer.add(one);
    const code = `SPRING-${one}`;
    expect((await buyer.get(`/basket?code=${code}`)).body).toContain("say your e-mail address");
    const shown = await buyer.pay({ total: "2990", code });
    expect([shown.statusCode, /name="total" value="(\d+)"/.exec(shown.body)?.[1]]).toEqual([409, "2691"]);
    expect((await buyer.pay({ total: "2691", code })).statusCode).toBe(303);
  });

  it("cannot be guessed, because the attempts of a network are limited", async () => {
    const buyer = browser({ address: "192.0.2.77" });
    await buyer.add(one);
    const statuses = [];
    for (let tried = 0; tried < 31; tried++) statuses.push((await buyer.get(`/basket?code=GUESS-${tried}`)).statusCode);
    expect([statuses.slice(0, 30).every((status) => status === 200), statuses.at(-1)]).toEqual([true, 429]);
  });
});
