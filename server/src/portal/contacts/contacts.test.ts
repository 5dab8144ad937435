import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import type { Mail } from "@beatmarket/mail/mailer.ts";
import pino from "pino";
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { publicUrl, webhookSecrets } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { placeTestOrder } from "../../../test/harness/database/place-order.ts";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";
import { deleteOldContacts } from "../../resources/contacts/messages.ts";
import { libraryUrl } from "../../resources/libraries/routes.ts";
import { openTemplates } from "../../resources/mails/folder.ts";
import { sendDueMails } from "../../resources/mails/outbox.ts";
import { markOperator } from "../../resources/users/standing.ts";

const clock = new FakeClock(Date.UTC(2026, 10, 26, 12));
const log = pino({ level: "silent" });
const texts = await openTemplates(undefined);
let portal: TestPortal;
let buyer: SignedInVisitor;
let producer: SignedInVisitor;
let operator: SignedInVisitor;
let stranger: SignedInVisitor;
let beat = 0;
beforeAll(async () => {
  portal = await testPortal({ clock });
  buyer = await portal.signUp("buyer@example.com", "Bea");
  producer = await portal.signUp("producer@example.com", "Nightowl");
  operator = await portal.signUp("olga@example.com", "Olga", "192.0.2.7");
  stranger = await portal.signUp("stranger@example.com", "Sam");
  const byCommand = { author: "operator", now: clock.now() } as const;
  await markOperator(portal.database.query, operator.email, true, byCommand);
  await operator.addAuthenticator();
  [beat = 0] = await insertBeats(portal.database, [{ title: "Midnight", priceCents: 2990 }]);
  await portal.database.driver`update beats set user_id = ${producer.userId} where id = ${beat}`;
});
beforeEach(() => clock.advance(1_000));

const buy = async (buyerId = buyer.userId, fields = {}): Promise<number> =>
  (await placeTestOrder(portal.database, { userId: buyerId, beatId: beat, ...fields })).id;

/** Sends the due mails and returns them. */
async function sendMails(): Promise<Mail[]> {
  const sentMails: Mail[] = [];
  const { query: db } = portal.database;
  await sendDueMails({
    db,
    clock,
    log,
    texts,
    brand: { site: "Beats", logoUrl: null, footer: null, links: [] },
    mailer: { send: async (mail) => void sentMails.push(mail) },
    unsubscribeUrl: () => publicUrl,
    libraryUrl: (email, at) => libraryUrl({ checkout: { db, clock, publicUrl }, secrets: webhookSecrets }, email, at),
  });
  return sentMails;
}

const write = (author: SignedInVisitor, side: "library" | "sales", id: number, text: string) =>
  author.send("POST", `/${side}/orders/${id}/messages`, { text });
const ask = (id: number, body: object = { reason: "files", details: "The WAV ends early." }, author = buyer) =>
  author.send("POST", `/library/orders/${id}/refund-requests`, body);

describe("buyer and producer", () => {
  it("write to each other by mail without seeing the other's address", async () => {
    const id = await buy();
    await sendMails();
    expect((await write(buyer, "library", id, "Could you send me\nthe lyrics?")).statusCode).toBe(201);
    const [toProducer, ...others] = await sendMails();
    expect([toProducer?.to, others]).toEqual(["producer@example.com", []]);
    expect(toProducer?.text).toContain(`/portal/sales/orders/${id}`);
    expect(toProducer?.text).toContain("the lyrics?");
    expect(JSON.stringify(toProducer)).not.toContain("buyer@example.com");
    expect((await producer.get("/sales/contacts")).json().threads[0]).toMatchObject({
      order_id: id,
      messages: 1,
      awaits_producer: true,
    });
    const reply = await write(producer, "sales", id, "Gladly.");
    expect(reply.json().messages).toMatchObject([
      { author: "buyer", text: "Could you send me\nthe lyrics?" },
      { author: "producer", text: "Gladly." },
    ]);
    const [toBuyer] = await sendMails();
    expect(toBuyer?.to).toBe("buyer@example.com");
    expect(toBuyer?.text).toMatch(/\/library\/[\w.-]+/);
    expect(JSON.stringify(toBuyer)).not.toContain("producer@example.com");
    const contact = (await buyer.get(`/library/orders/${id}/contact`)).json();
    expect(contact).toEqual((await producer.get(`/sales/orders/${id}/contact`)).json());
    expect((await producer.get("/sales/contacts")).json().threads[0].awaits_producer).toBe(false);
  });

  it("401 without a session, and 404 for other accounts and for the wrong side of the order", async () => {
    const id = await buy();
    const paths = [`/library/orders/${id}`, `/sales/orders/${id}`];
    for (const path of paths) {
      expect((await portal.visitor().get(`${path}/contact`)).statusCode).toBe(401);
      expect((await stranger.get(`${path}/contact`)).statusCode).toBe(404);
    }
    expect((await write(stranger, "library", id, "Hi")).statusCode).toBe(404);
    expect((await write(buyer, "sales", id, "Hi")).statusCode).toBe(404);
    expect((await write(producer, "library", id, "Hi")).statusCode).toBe(404);
    expect((await ask(id, undefined, producer)).statusCode).toBe(404);
  });

  it("400 for a text that is empty, too long or has control characters", async () => {
    const id = await buy();
    for (const text of ["   ", "x".repeat(2_001), "a\u0007b", "a\u202eb"])
      expect((await write(buyer, "library", id, text)).statusCode).toBe(400);
    expect((await buyer.get(`/library/orders/${id}/contact`)).json().messages).toEqual([]);
  });

  it("429 after ten messages of one side in an hour about one order", async () => {
    const id = await buy();
    for (let n = 0; n < 10; n++) expect((await write(buyer, "library", id, `${n}`)).statusCode).toBe(201);
    const refusal = await write(buyer, "library", id, "once more");
    expect([refusal.statusCode, refusal.headers["retry-after"]]).toEqual([429, "360"]);
    expect((await write(producer, "sales", id, "answer")).statusCode).toBe(201);
    clock.advance(3_600_000);
    expect((await write(buyer, "library", id, "later")).statusCode).toBe(201);
  });

  it("409 for an unpaid order, and for a producer without a mailbox", async () => {
    const pending = await buy(buyer.userId, { paymentMethod: "pm_card_authenticationRequired" });
    expect((await write(buyer, "library", pending, "Hi")).statusCode).toBe(409);
    const [imported = 0] = await insertBeats(portal.database, [{ title: "Old", producer: "Imported" }]);
    const { id } = await placeTestOrder(portal.database, { userId: buyer.userId, beatId: imported });
    expect((await write(buyer, "library", id, "Hi")).json().error.details).toContain("no mailbox");
  });
});

describe("a request for a refund", () => {
  it("is mailed and shown to producer and operators, and refunds the order when granted", async () => {
    const id = await buy();
    await sendMails();
    expect((await ask(id)).statusCode).toBe(201);
    const mails = await sendMails();
    expect(mails.map(({ to }) => to).sort()).toEqual(["olga@example.com", "producer@example.com"]);
    for (const { text } of mails) expect(text).toContain("The WAV ends early.");
    expect((await producer.get("/sales/contacts")).json().requests[0]).toMatchObject({ order_id: id, state: "open" });
    expect((await operator.get("/admin/refund-requests")).json().requests[0]).toMatchObject({ order_id: id });
    const path = `/admin/orders/${id}/refund-request`;
    for (const other of [buyer, producer]) expect((await other.send("POST", `${path}/grant`)).statusCode).toBe(404);
    const granted = await operator.send("POST", `${path}/grant`);
    expect([granted.statusCode, granted.json().requests[0].state]).toEqual([200, "granted"]);
    const [order] = await portal.database.driver`select refunded_cents from orders where id = ${id}`;
    expect(order?.refunded_cents).toBe(2990);
    expect((await sendMails()).find(({ to }) => to === "buyer@example.com")?.subject).toContain("refund");
    expect((await operator.send("POST", `${path}/grant`)).statusCode).toBe(409);
    expect((await ask(id)).statusCode).toBe(409);
  });

  it("is refused with a sentence that the buyer gets by mail, and can be sent three times", async () => {
    const id = await buy();
    const path = `/admin/orders/${id}/refund-request/refuse`;
    expect((await operator.send("POST", path, { response: "No" })).statusCode).toBe(409);
    for (let turn = 0; turn < 3; turn++) {
      expect((await ask(id)).statusCode).toBe(201);
      expect((await ask(id)).statusCode).toBe(409);
      await sendMails();
      expect((await operator.send("POST", path, { response: "The file is whole." })).statusCode).toBe(200);
      const [mail] = await sendMails();
      expect(mail?.to).toBe("buyer@example.com");
      expect(mail?.text).toContain("The file is whole.");
    }
    expect((await ask(id)).json().error.details).toContain("refused 3 times");
    const { refund_requests: requests } = (await buyer.get(`/library/orders/${id}/contact`)).json();
    expect(requests).toHaveLength(3);
    expect(requests[0]).toMatchObject({ state: "refused", response: "The file is whole." });
  });

  it("is granted if an operator refunds the order in another way, and needs a known reason (400)", async () => {
    const id = await buy();
    expect((await ask(id, { reason: "whim", details: "x" })).statusCode).toBe(400);
    await ask(id);
    await operator.send("POST", `/admin/orders/${id}/refunds`, { amount: null, reason: "A duplicate." });
    const { refund_requests: requests } = (await buyer.get(`/library/orders/${id}/contact`)).json();
    expect(requests[0].state).toBe("granted");
    expect((await operator.get("/admin/refund-requests")).json().requests).toEqual([]);
  });
});

test("a buyer without an account sends messages and requests from the page of the mailed link", async () => {
  const form = (path: string, fields: Record<string, string>, headers = {}) =>
    portal.api.request({
      method: "POST",
      url: path,
      payload: new URLSearchParams(fields).toString(),
      headers: { origin: publicUrl, "content-type": "application/x-www-form-urlencoded", ...headers },
    });
  const basket = { cookie: `basket=${beat}.basic.2990` };
  const checkout = await form("/basket/checkout", { email: "guest@example.com", total: "2990" }, basket);
  await form(new URL(String(checkout.headers.location)).pathname, { card: "pm_card_visa" });
  const receipt = (await sendMails()).find(({ to }) => to === "guest@example.com")?.text ?? "";
  const library = new URL(/https:\S+\/library\/\S+/.exec(receipt)?.[0] ?? publicUrl).pathname;
  const listed = (await portal.api.request({ method: "GET", url: library })).body;
  const path = /href="(\/library\/[^"]+\/orders\/\d+)"/.exec(listed)?.[1] ?? "";
  expect((await form(path, { text: "Hello <b>" })).statusCode).toBe(303);
  const response = await form(path, { reason: "other", details: "I changed my mind." });
  expect(response.headers.location).toBe(path);
  const page = await portal.api.request({ method: "GET", url: path });
  expect(page.body).toContain("Hello &lt;b&gt;");
  expect(page.body).toContain("It waits for a decision.");
  const again = await form(path, { reason: "other", details: "Still <so>" });
  expect([again.statusCode, again.body.includes("asked for already")]).toEqual([409, true]);
  expect((await form(path, { text: "a\u0007b" })).statusCode).toBe(400);
  expect((await form(path.replace(/\d+$/, "1"), { text: "Hi" })).statusCode).toBe(404);
  expect((await form(path, { text: "Hi" }, { origin: "https://other.example" })).statusCode).toBe(403);
  expect((await sendMails()).map(({ to }) => to)).toContain("producer@example.com");
});

test("messages are in the export of an account, the account's texts are erased with it, and all are deleted after three years", async () => {
  const leaver = await portal.signUp("leaver@example.com", "Lea");
  const id = await buy(leaver.userId);
  await write(leaver, "library", id, "Before I go");
  await write(producer, "sales", id, "Farewell");
  await ask(id, { reason: "other", details: "I leave." }, leaver);
  const exported = await portal.api.request({
    method: "POST",
    url: "/portal/api/account/export",
    headers: { cookie: leaver.cookie(), origin: publicUrl },
  });
  for (const text of ["Before I go", "Farewell", "I leave."]) expect(exported.body).toContain(text);
  const erased = await leaver.send("POST", "/account/erasure", { email: leaver.email });
  expect(erased.statusCode).toBeLessThan(300);
  const contact = (await producer.get(`/sales/orders/${id}/contact`)).json();
  expect(contact.messages.map(({ text }: { text: string | null }) => text)).toEqual([null, "Farewell"]);
  expect(contact.refund_requests[0]).toMatchObject({ reason: "other", details: null });
  await deleteOldContacts(portal.database.query, new Date(Date.UTC(2030, 0, 1)));
  expect(await portal.database.driver`select id from order_messages`).toEqual([]);
});
