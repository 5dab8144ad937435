import { expect, test } from "vitest";
import { checkLooks } from "../../server/test/harness/accessibility.ts";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { insertLicense } from "../../server/test/harness/database/licenses.ts";
import { payProducers } from "../../server/test/harness/database/pay-producers.ts";
import { insertUpload } from "../../server/test/harness/database/uploads.ts";
import { checkPage, type Developer, goTo, portalBrowser, retryWhileShed } from "./harness.ts";

const portal = portalBrowser({ PAYOUT_CLEARING_DAYS: "0" });

/** Makes an account the owner of a demo beat, and sets the price to 20.00. Returns the beat's id. */
async function ownBeat(title: string, { userId }: Developer): Promise<number> {
  const [row] = await openTestDatabase(portal.server.databaseUrl).driver`
    update beats set user_id = ${userId}, price_cents = 2000 where title = ${title} returning id::int`;
  return Number(row?.id);
}

test("a producer sees the state of each sold license, and the licenses near their limits", async () => {
  const database = openTestDatabase(portal.server.databaseUrl);
  const { page, userId } = await portal.signUp({ name: "Nora Night" });
  const buyer = await portal.signUp({ name: "Robin Sand" });
  const seller = { producerId: userId, buyerId: buyer.userId };
  const longAgo = new Date("2020-01-01T12:00:00Z");
  const sell = (facts: Parameters<typeof insertLicense>[1]) => insertLicense(database, { ...seller, ...facts });
  const report = ({ id }: { id: string }, percent: number) => database.driver`
    insert into license_usage_levels (license_id, use, percent, reached_at, stands)
    values (${id}, 'streams', ${percent}, now(), true)`;
  const expired = await sell({ beatTitle: "Expired one", purchasedAt: longAgo });
  const renewed = await sell({ beatTitle: "Renewed one", purchasedAt: longAgo });
  await sell({ beatTitle: "Renewal", purchasedAt: new Date(), replaces: renewed.id });
  const basic = await sell({ beatTitle: "Lower one", purchasedAt: new Date() });
  const premium = await sell({
    beatTitle: "Higher one",
    purchasedAt: new Date(),
    licenseType: "premium",
    replaces: basic.id,
  });
  const refunded = await sell({ beatTitle: "Refunded one", purchasedAt: new Date() });
  await database.driver`update orders set refunded_cents = amount_cents, refunded_at = now() where id = ${refunded.orderId}`;
  for (const license of [expired, basic, refunded]) await report(license, 100);
  await report(premium, 80);

  await page.goto("/portal/sales");
  const row = (title: string) =>
    page.getByRole("region", { name: "Sales" }).getByRole("row").filter({ hasText: title });
  await row("Expired one").getByText("Expired", { exact: true }).waitFor();
  await row("Renewed one").getByText("Replaced", { exact: true }).waitFor();
  await row("Renewal").getByText(`Renewal of order ${renewed.orderId}`).waitFor();
  await row("Lower one").getByText("Replaced", { exact: true }).waitFor();
  await row("Higher one").getByText(`Upgrade of order ${basic.orderId}`).waitFor();
  await row("Refunded one").getByText("Refunded", { exact: true }).waitFor();
  expect(
    await row("Higher one")
      .getByText(/^(Replaced|Expired|Refunded)$/)
      .count(),
  ).toBe(0);
  const nearlyUsed = page.getByRole("region", { name: "Licenses that are nearly used up" }).getByRole("listitem");
  await expect
    .poll(() => nearlyUsed.allInnerTexts())
    .toEqual([expect.stringMatching(/Higher one, premium, Robin Sand\s+80 % of the streams/i)]);
  await checkLooks(page, "sales-standings");
});

test("a collaborator accepts a share of the sales, and a returned payout goes to another bank account", async () => {
  const nora = await portal.signUp({ name: "Nora Night" });
  const kim = await portal.signUp({ name: "Kim Key" });
  const beatId = await ownBeat("Lost Cinema", nora);

  await nora.page.goto(`/portal/studio/beats/${beatId}`);
  await nora.page.getByRole("button", { name: "Add a collaborator" }).click();
  await nora.page.getByLabel("Username or e-mail").fill(kim.email);
  await nora.page.getByLabel("Percent").fill("30");
  await nora.page.getByRole("button", { name: "Offer", exact: true }).click();
  await nora.page.getByText(/^This split is not used yet\. /).waitFor();

  const { page } = kim;
  await page.goto("/portal/earnings");
  const saveBankAccount = async (iban: string) => {
    await page.getByLabel("Account holder").fill("Kim Key");
    await page.getByLabel("IBAN").fill(iban);
    await page.getByRole("button", { name: "Save the bank account" }).click();
  };
  await saveBankAccount("NL92 ABNA 0417 1643 00");
  await page.getByText(/check digits do not fit/).waitFor();
  await saveBankAccount("NL91 ABNA 0417 1643 00");
  await page.getByText("NL91 … 4300").waitFor();
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByText("30 % of Lost Cinema by Nora Night: accepted").waitFor();

  await portal.send(nora.context, "PUT", "/earnings/details", { holder: "Nora Night", iban: "DE89370400440532013000" });
  const buyer = await portal.signUp({ name: "Robin Sand" });
  const { key } = await portal.makeKey(buyer.context, { name: "Shop", permissions: ["orders:write"] });
  const bought = await retryWhileShed(() =>
    buyer.context.request.post("/v1/orders", {
      data: { beat_id: beatId, payment_method: "pm_card_visa" },
      headers: { authorization: `Bearer ${key}` },
    }),
  );
  expect((await bought.json()).data.order).toMatchObject({ status: "completed", amount: 20 });

  const operator = await portal.signUpOperator({ path: "/admin/payouts" });
  const pay = () => payProducers(openTestDatabase(portal.server.databaseUrl));
  const payouts = operator.page.getByRole("region", { name: "Payouts" });
  const row = (producer: string, state: string, amount: string) =>
    payouts.getByRole("row").filter({ hasText: producer }).filter({ hasText: state }).filter({ hasText: amount });
  await operator.page.getByRole("button", { name: "Pay by CSV file" }).click();
  await operator.page.getByText(/^Run 1, CSV file/).waitFor();
  await pay();
  await row("Nora Night", "sent", "14.00").waitFor();
  await row("Kim Key", "sent", "6.00").getByRole("button", { name: "It came back" }).click();
  const dialog = operator.page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("The account is closed");
  await dialog.getByRole("button", { name: "Return the money" }).click();
  await row("Kim Key", "failed", "The account is closed").waitFor();
  await operator.page.getByText(/6\.00: Kim Key \(refused\)/).waitFor();
  await portal.server.mailTo(kim.email, /The account is closed/);

  await page.reload();
  await page.getByText(/^The account is closed\. Correct the details/).waitFor();
  await page.getByRole("button", { name: "Change the bank account" }).click();
  await saveBankAccount("BE68 5390 0754 7034");
  await page.getByText("BE68 … 7034").waitFor();
  await row("Kim Key", "failed", "6.00").getByRole("button", { name: "Try again" }).click();
  await operator.page.getByText(/^Run 2, CSV file, a retry/).waitFor();
  await pay();
  await checkPage(operator.page, "admin-payouts", () => row("Kim Key", "sent", "6.00").waitFor());
  await row("Kim Key", "failed", "6.00").getByText("In payout 3").waitFor();
  const run = operator.page.getByRole("button", { name: "All arrived" });
  await run.first().click();
  await row("Kim Key", "paid", "6.00").waitFor();
  await row("Nora Night", "sent", "14.00").waitFor();

  await page.reload();
  const states = page.getByRole("region", { name: "Table of payouts" }).getByRole("row");
  await checkPage(page, "earnings-payouts", () => states.filter({ hasText: "failed" }).waitFor());
  expect(await states.filter({ hasText: "paid" }).count()).toBe(1);
  expect((await (await kim.context.request.get("/portal/api/earnings")).json()).balance).toBe(0);
});

test("a discount from the studio lowers quote and basket, and a draft waits for its publication time", async () => {
  const producer = await portal.signUp({ name: "Nora Night" });
  const { page, userId } = producer;
  const beatId = await ownBeat("Shallow Rooftop", producer);
  await page.goto("/portal/studio/discounts");
  await page.getByRole("button", { name: "New discount" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill("Spring");
  await form.getByLabel("Code").fill("spring26");
  await form.getByLabel("Percent").fill("25");
  await form.getByRole("button", { name: "Make discount" }).click();
  const discount = page.getByRole("region", { name: "Discounts" }).getByRole("row").filter({ hasText: "Spring" });
  await discount.getByText("Running").waitFor();
  await discount.getByText("25 %").waitFor();

  const quoted = await retryWhileShed(() =>
    producer.context.request.post("/v1/quotes", {
      data: { items: [{ beat_id: beatId }], discount_code: "SPRING26" },
      headers: { authorization: `Bearer ${portal.server.demoKey}` },
    }),
  );
  expect((await quoted.json()).data.quote).toMatchObject({
    amount: 15,
    items: [{ price: 20, discount: 5, amount: 15 }],
  });
  const shop = await portal.visit(`/beats/${beatId}`);
  await shop.getByRole("button", { name: "Buy the basic license" }).click();
  await shop.getByLabel("Discount code").fill("Spring26");
  await shop.getByRole("button", { name: "Apply" }).click();
  await shop.getByText(/^−.*5\.00$/).waitFor();
  await shop.getByRole("button", { name: /^Pay .*15\.00$/ }).waitFor();

  const audio = await insertUpload(openTestDatabase(portal.server.databaseUrl), { userId });
  const draft = { title: "Later", genre: "House", audio, price: 20 };
  const { beat } = await portal.send(producer.context, "POST", "/studio/beats", draft);
  const publishAt = async () =>
    (await (await producer.context.request.get(`/portal/api/studio/beats/${beat.id}`)).json()).beat.publish_at;
  await goTo(page, "Studio");
  await page.getByRole("link", { name: "Later", exact: true }).click();
  const local = `${new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)}T18:30`;
  await page.getByLabel(/^Publish at/).fill(local);
  await page.getByRole("button", { name: "Save, publish then" }).click();
  await page.getByText("It is published by itself").waitFor();
  const utc = await page.evaluate((text) => new Date(text).toISOString().replace(".000", ""), local);
  expect(await publishAt()).toBe(utc);
  await page.getByRole("button", { name: "Remove the time" }).click();
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("Saved.").waitFor();
  expect(await publishAt()).toBeNull();
});
