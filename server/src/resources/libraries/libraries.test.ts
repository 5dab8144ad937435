import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import type { Mail } from "@beatmarket/mail/mailer.ts";
import pino from "pino";
import { beforeEach, describe, expect, it, test } from "vitest";
import { publicUrl, webhookSecrets } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { mailedToken, testPassword, testPortal } from "../../../test/harness/portal.ts";
import { testSeller } from "../../../test/harness/seller.ts";
import { openTemplates } from "../mails/folder.ts";
import { sendDueMails } from "../mails/outbox.ts";
import { Sandbox } from "../orders/payments/sandbox/sandbox.ts";
import { requestRefund } from "../orders/refunds/request-refund.ts";
import { libraryUrl } from "./routes.ts";

const clock = new FakeClock(Date.UTC(2026, 10, 26, 12));
const portal = await testPortal({ clock, seller: testSeller });
const { query: db, driver } = portal.database;
const log = pino({ level: "silent" });
const checkout = { db, clock, publicUrl };
const dependencies = {
  ...checkout,
  log,
  payments: [new Sandbox(db, clock)] as const,
  currency: "USD",
  commissionBasisPoints: 0,
  seller: null,
};
const texts = await openTemplates(undefined);

const [one = 0, two = 0] = await insertBeats(portal.database, [
  { title: "Midnight", producer: "Nightowl", priceCents: 2990 },
  { title: "Sunrise", producer: "Lark", priceCents: 1990 },
]);
// Refills the limits of payments and mails for the network.
beforeEach(() => clock.advance(3 * 3_600_000));

const call = (method: "GET" | "POST", path: string, form?: Record<string, string>, headers = {}) =>
  portal.api.request({
    method,
    url: path,
    headers: { origin: publicUrl, "content-type": "application/x-www-form-urlencoded", ...headers },
    ...(form !== undefined && { payload: new URLSearchParams(form).toString() }),
  });

/** Sends the due mails, and returns them. */
async function sendMails(): Promise<Mail[]> {
  const sentMails: Mail[] = [];
  await sendDueMails({
    db,
    clock,
    log,
    texts,
    brand: { site: "Beats", logoUrl: null, footer: null, links: [] },
    mailer: { send: async (mail) => void sentMails.push(mail) },
    unsubscribeUrl: () => publicUrl,
    libraryUrl: (email, at) => libraryUrl({ checkout, secrets: webhookSecrets }, email, at),
  });
  return sentMails;
}

const linkIn = (mails: readonly Mail[], email: string): string => {
  const text = mails.find(({ to, text }) => to === email && text.includes("/library/"))?.text ?? "";
  return new URL(/https:\S+\/library\/\S+/.exec(text)?.[0] ?? publicUrl).pathname;
};

/** Buys a beat without an account. Returns the path of the library's link in the receipt. */
async function buyAs(email: string, beat = one): Promise<string> {
  const cookie = `basket=${beat}.basic.${beat === one ? 2990 : 1990}`;
  const total = beat === one ? "2990" : "1990";
  const openedCheckout = await call("POST", "/basket/checkout", { email, total }, { cookie });
  await call("POST", new URL(String(openedCheckout.headers.location)).pathname, { card: "pm_card_visa" });
  return linkIn(await sendMails(), email);
}

const newLink = async (form: Record<string, string>) => {
  const response = await call("POST", "/library", form);
  return { response, mails: await sendMails() };
};

describe("the link of a receipt", () => {
  it("opens all orders of the address with files and certificates, without a session", async () => {
    await buyAs("buyer@example.com", two);
    const link = await buyAs("buyer@example.com");
    const page = await call("GET", link);
    expect(page.statusCode).toBe(200);
    for (const part of ["Midnight", "Sunrise", "29.90 USD", "Paid", "License certificate"])
      expect(page.body).toContain(part);
    expect(page.headers["set-cookie"]).toBeUndefined();
    const certificate = /href="([^"]+\/files\/\d+\/license)"/.exec(page.body)?.[1] ?? "";
    const file = await call("GET", certificate);
    expect(file.statusCode).toBe(303);
    const download = new URL(String(file.headers.location));
    expect((await call("GET", download.pathname + download.search)).headers["content-type"]).toBe("application/pdf");
    const later = (await call("GET", link)).body;
    const archive = /href="([^"]+\/archive)">Download all \(ZIP, \d[\d.]* kB\)/.exec(later)?.[1] ?? "";
    const zip = new URL(String((await call("GET", archive)).headers.location));
    expect((await call("GET", zip.pathname + zip.search)).headers["content-type"]).toBe("application/zip");
    expect((await call("GET", link)).body).toMatch(/href="\/licenses\/[\w-]+"/);
    expect(page.headers["referrer-policy"]).toBe("no-referrer");
  });

  it("opens the invoices and credit notes of its orders as PDF, and answers 404 for others", async () => {
    const link = await buyAs("invoiced@example.com");
    const [order] = await driver`select orders.id from orders join users on users.id = user_id
      where users.email = 'invoiced@example.com'`;
    await requestRefund(dependencies, order?.id, { amountCents: 990, origin: "operator" });
    const { body } = await call("GET", link);
    expect(body).toMatch(/>Invoice INV-2026-\d{6} \(PDF\)<.*>Credit note CN-2026-\d{6} \(PDF\)</s);
    const paths = [...body.matchAll(/href="([^"]+\/invoices\/\d+)"/g)].map(([, path = ""]) => path);
    for (const path of paths) expect((await call("GET", path)).headers["content-type"]).toBe("application/pdf");
    const foreign = await buyAs("invoiced-too@example.com");
    const id = paths[0]?.split("/").at(-1);
    expect((await call("GET", `${foreign}/invoices/${id}`)).statusCode).toBe(404);
    expect((await call("GET", `${foreign}/invoices/x`)).statusCode).toBe(404);
  });

  it("shows refunds, and no files after a full refund", async () => {
    const link = await buyAs("refunded@example.com");
    const [order] = await driver`select orders.id from orders join users on users.id = user_id
      where users.email = 'refunded@example.com'`;
    await requestRefund(dependencies, order?.id, { amountCents: 990, origin: "operator" });
    expect((await call("GET", link)).body).toContain("Paid; 9.90 USD refunded");
    await requestRefund(dependencies, order?.id, { amountCents: null, origin: "operator" });
    const { body } = await call("GET", link);
    expect(body).toContain("Refunded: the license has ended.");
    expect(body).not.toContain("/files/");
  });

  it("has pages of 20 orders", async () => {
    for (let count = 0; count < 21; count++) {
      await buyAs("often@example.com", two);
      clock.advance(3_600_000);
    }
    const link = await buyAs("often@example.com");
    const [first, second] = [await call("GET", link), await call("GET", `${link}?page=2`)];
    expect(first.body.match(/<li>/g)).toHaveLength(20);
    expect(first.body).toContain("?page=2");
    expect(second.body.match(/<li>/g)).toHaveLength(2);
    expect(second.body).toContain("?page=1");
  });

  it("is 404 for an order of another address", async () => {
    const link = await buyAs("first@example.com");
    await buyAs("second@example.com");
    const [foreign] = await driver`select orders.id from orders join users on users.id = user_id
      where users.email = 'second@example.com'`;
    expect((await call("GET", `${link}/files/${foreign?.id}/license`)).statusCode).toBe(404);
    expect((await call("GET", link)).body).not.toContain(`order ${foreign?.id},`);
  });

  it.each(["", "x", "0.0.a", `1.abc.${"a".repeat(43)}`, "%00"])("with an invalid token is 404: %j", async (token) => {
    await buyAs("signed@example.com");
    const response = await call("GET", `/library/${token}`);
    expect([response.statusCode, response.body.includes("Unknown link") || token === ""]).toEqual([404, true]);
  });

  it("expires after 30 days, or when its owner ends it; its page then mails a new link to the address", async () => {
    const link = await buyAs("owner@example.com");
    clock.advance(30 * 86_400_000 - 1);
    expect((await call("GET", link)).statusCode).toBe(200);
    clock.advance(1);
    const expiredLink = await call("GET", link);
    expect(expiredLink.statusCode).toBe(410);
    expect(expiredLink.body).not.toContain("Midnight");
    expect((await call("GET", `${link}/files/1/license`)).statusCode).toBe(404);

    const token = /name="token" value="([^"]+)"/.exec(expiredLink.body)?.[1] ?? "";
    const { response, mails } = await newLink({ token });
    expect(response.body).toContain("A mail is on its way");
    const fresh = linkIn(mails, "owner@example.com");
    expect((await call("GET", fresh)).body).toContain("Midnight");

    expect((await call("POST", `${fresh}/end`, {}, { origin: "https://evil.example" })).statusCode).toBe(403);
    expect((await call("GET", fresh)).statusCode).toBe(200);
    expect((await call("POST", `${fresh}/end`, {})).statusCode).toBe(200);
    expect((await call("GET", fresh)).statusCode).toBe(410);
    clock.advance(1);
    const again = linkIn((await newLink({ token })).mails, "owner@example.com");
    expect((await call("GET", again)).statusCode).toBe(200);
  });

  test("is 404 after the erasure of the account", async () => {
    const link = await buyAs("gone@example.com");
    const account = await portal.signUp("gone@example.com");
    expect((await call("GET", link)).statusCode).toBe(200);
    expect((await account.send("POST", "/account/erasure", { email: "gone@example.com" })).statusCode).toBe(204);
    expect((await call("GET", link)).statusCode).toBe(404);
    expect(await driver`select id from libraries where email = 'gone@example.com'`).toEqual([]);
  });
});

describe("a request for a link", () => {
  it("has the same response for addresses with and without orders; only the mail differs", async () => {
    await buyAs("known@example.com");
    const buyerLink = await newLink({ email: " Known@Example.com " });
    const unknown = await newLink({ email: "unknown@example.com" });
    expect(buyerLink.response.statusCode).toBe(200);
    expect([buyerLink.response.statusCode, buyerLink.response.body]).toEqual([
      unknown.response.statusCode,
      unknown.response.body,
    ]);
    expect((await call("GET", linkIn(buyerLink.mails, "known@example.com"))).body).toContain("Midnight");
    expect(unknown.mails.map(({ to, subject }) => ({ to, subject }))).toEqual([
      { to: "unknown@example.com", subject: "Nothing was bought with this address" },
    ]);
    expect(await driver`select id from libraries where email = 'unknown@example.com'`).toEqual([]);
  });

  it("is 429 above the limits of mailbox and network, and 403 from other sites", async () => {
    const ask = (email: string, headers = {}) => call("POST", "/library", { email }, headers);
    const statuses = [];
    for (const label of ["", "+a", "+b", "+c"]) statuses.push((await ask(`box${label}@example.com`)).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429]);
    for (let count = 0; count < 6; count++) statuses.push((await ask(`other-${count}@example.com`)).statusCode);
    expect(statuses.slice(4)).toEqual([200, 200, 200, 200, 200, 200]);
    const refusal = await ask("one-more@example.com");
    expect([refusal.statusCode, refusal.headers["retry-after"]]).toEqual([429, "600"]);
    expect(refusal.body).toContain("Too many links were asked for from your network.");
    expect((await ask("x@example.com", { origin: "https://evil.example" })).statusCode).toBe(403);
    await sendMails();
  });

  it("is 400 for an invalid address, with the typed text in the form, and 404 for a forged token", async () => {
    const { response, mails } = await newLink({ email: "<nobody>" });
    expect(response.statusCode).toBe(400);
    expect(response.body).toContain("is not an e-mail address such as name@example.com");
    expect(response.body).toContain('value="&lt;nobody&gt;"');
    expect(mails).toEqual([]);
    expect((await newLink({ token: "forged" })).response.statusCode).toBe(404);
  });
});

describe("an account has the purchases of its address", () => {
  const titles = async (visitor: {
    get: (path: string) => Promise<{ json: () => { orders: { beat: { title: string } }[] } }>;
  }) => (await visitor.get("/library/orders")).json().orders.map(({ beat }) => beat.title);

  it("after its registration and the confirmation of the address", async () => {
    await buyAs("later@example.com");
    const visitor = portal.visitor();
    const registration = { name: "Later", email: "later@example.com", password: testPassword };
    await visitor.send("POST", "/auth/register", registration);
    const token = await mailedToken(portal.mails, "later@example.com");
    // Before the confirmation there is no session, and the password does not sign in.
    const { email, password } = registration;
    expect((await visitor.send("POST", "/auth/sign-in", { email, password })).statusCode).toBe(401);
    expect((await visitor.get("/library/orders")).statusCode).toBe(401);
    await visitor.send("POST", "/auth/confirm", { token, password });
    expect(await titles(visitor)).toEqual(["Midnight"]);
  });

  it("if the purchase was made later, without a sign-in", async () => {
    const account = await portal.signUp("before@example.com");
    await buyAs("Before@Example.com");
    expect(await titles(account)).toEqual(["Midnight"]);
  });

  it("after a change of the address, and links of the former address have expired", async () => {
    const account = await portal.signUp("former@example.com");
    const link = await buyAs("former@example.com");
    await account.send("POST", "/account/email", { email: "present@example.com" });
    const token = await mailedToken(portal.mails, "present@example.com");
    await portal.visitor().send("POST", "/auth/confirm-email", { token, password: testPassword });
    expect((await call("GET", link)).statusCode).toBe(410);
    const present = linkIn((await newLink({ email: "present@example.com" })).mails, "present@example.com");
    expect((await call("GET", present)).body).toContain("Midnight");
    const former = await newLink({ email: "former@example.com" });
    expect(former.mails.map(({ subject }) => subject)).toEqual(["Nothing was bought with this address"]);
  });
});
