import { expect, test } from "vitest";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { makeKey, type SignedInVisitor, testPortal } from "../../../test/harness/portal.ts";
import { testSeller } from "../../../test/harness/seller.ts";

const portal = await testPortal({ seller: testSeller });
const { driver } = portal.database;
const producer = await portal.signUp("producer@example.com", "Nightowl");
const buyer = await portal.signUp("buyer@example.com", "Bonnie Buyer");
const stranger = await portal.signUp("stranger@example.com");
const [beatId = 0] = await insertBeats(portal.database, [{ title: "Midnight", priceCents: 2_990 }]);
await driver`update beats set user_id = ${producer.userId} where id = ${beatId}`;

const details = { name: "Buyer Ltd", address: "1 High Street\nLondon", country: "GB", vat_id: "" };

const key = (await makeKey(buyer)).json().key as string;

const buy = async () => {
  const response = await portal.api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${key}` },
    payload: { beat_id: beatId, payment_method: "pm_card_visa" },
  });
  expect(response.statusCode, response.body).toBe(201);
  return response.json().data.order.id as number;
};

/** Requests a file without the check against the portal's OpenAPI document, which does not describe files. */
const file = (who: SignedInVisitor, path: string) =>
  portal.api.request({ method: "GET", url: `/portal/api${path}`, headers: { cookie: who.cookie() } });

test("billing details are stored and recorded in the account's log, and invalid details are refused", async () => {
  expect((await buyer.get("/library/billing")).json()).toEqual({ name: "", address: "", country: "", vat_id: "" });
  expect((await buyer.send("PUT", "/library/billing", { ...details, country: "Q1" })).statusCode).toBe(400);
  expect((await buyer.send("PUT", "/library/billing", details)).json()).toEqual(details);
  expect((await buyer.get("/library/billing")).json()).toEqual(details);
  const [audit] =
    await driver`select action from audit_entries where user_id = ${buyer.userId} order by id desc limit 1`;
  expect(audit).toEqual({ action: "account.billing_changed" });
});

test("buyer, producer and operator get the invoice of a sale, and others get 404", async () => {
  const orderId = await buy();
  const { orders } = (await buyer.get("/library/orders?page=1")).json();
  const [{ invoices }] = orders;
  expect(invoices).toMatchObject([
    { kind: "invoice", number: `INV-${new Date().getUTCFullYear()}-000001`, amount: 29.9 },
  ]);
  const [{ id }] = invoices;
  expect((await producer.get("/sales?page=1")).json().sales[0].invoices).toEqual(invoices);
  await driver`update users set operator = true where id = ${stranger.userId}`;
  expect((await stranger.get(`/admin/orders/${orderId}`)).json().invoices).toEqual(invoices);
  const pdf = async (who: SignedInVisitor, path: string) => {
    const { statusCode, headers, rawPayload } = await file(who, `${path}/invoices/${id}/pdf`);
    return [statusCode, headers["content-type"], rawPayload.subarray(0, 5).toString()];
  };
  const expectedPdf = [200, "application/pdf", "%PDF-"];
  expect(await pdf(buyer, "/library")).toEqual(expectedPdf);
  expect(await pdf(producer, "/sales")).toEqual(expectedPdf);
  expect(await pdf(stranger, "/admin")).toEqual(expectedPdf);
  expect((await pdf(stranger, "/library"))[0]).toBe(404);
  expect((await pdf(buyer, "/sales"))[0]).toBe(404);
  expect((await pdf(buyer, "/admin"))[0]).toBe(404);
});

test("the mailed receipt of a sale shows the number of the invoice", async () => {
  const [mail] = await driver<
    { facts: { invoices: string } }[]
  >`select facts from outgoing_mails where template = 'receipt'`;
  expect(mail?.facts.invoices).toBe(`Your invoice is there, too: INV-${new Date().getUTCFullYear()}-000001.`);
});
