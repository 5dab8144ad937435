import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { checkPage, portalBrowser } from "./harness.ts";

const portal = portalBrowser();
const database = () => openTestDatabase(portal.server.databaseUrl);
const beatOf = async (title: string): Promise<number> =>
  (await database().query.selectFrom("beats").select("id").where("title", "=", title).executeTakeFirstOrThrow()).id;
const setPrice = (id: number, cents: number) =>
  database().query.updateTable("beats").set({ price_cents: cents }).where("id", "=", id).execute();

test("a changed price is charged only after the buyer accepts it, and buying twice needs a checkbox", async () => {
  const beat = await beatOf("Lost Cinema");
  await setPrice(beat, 2200);
  const { page } = await portal.signUp({ path: `/market/beats/${beat}?buy=basic` });
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Put Basic into the basket for $22.00" }).click();
  await page.getByRole("button", { name: "Pay $22.00" }).waitFor();
  await setPrice(beat, 999_999);
  await page.getByRole("button", { name: "Pay $22.00" }).click();
  await page.getByRole("alert").getByText("Nothing was charged").waitFor();
  await page.getByText("The price has changed: it was $22.00 when you chose it.").waitFor();
  const orders = await page.request.get("/portal/api/library/orders");
  expect((await orders.json()).orders).toEqual([]);

  // The buyer accepts the new price and buys. Buying the same license again needs its own checkbox.
  await page.getByRole("button", { name: "Pay $9,999.99" }).click();
  await page.getByRole("button", { name: /^A card that pays/ }).click();
  await page.getByText("The licenses are yours").waitFor();
  await page.goto(`/portal/market/beats/${beat}`);
  await page.getByRole("link", { name: "You have it" }).waitFor();
  await page.getByRole("link", { name: /^Buy .*again/ }).click();
  await dialog.getByText("You already have the Basic license of this beat").waitFor();
  const putButton = dialog.getByRole("button", { name: "Put Basic into the basket for $9,999.99" });
  expect(await putButton.isDisabled()).toBe(true);
  await dialog.getByLabel(/^Buy this license again/).check();
  expect(await putButton.isEnabled()).toBe(true);

  await page.goto(`/beats/${beat}`);
  const libraryLink = page.getByRole("link", { name: "You have it" });
  await libraryLink.waitFor();
  expect(await libraryLink.getAttribute("href")).toMatch(/^\/portal\/library\?order=\d+$/);
});

test("a link with an old price opens a dialog that shows the old and the present price", async () => {
  const beat = await beatOf("Lost Cinema");
  await setPrice(beat, 3000);
  const { page } = await portal.signUp({ path: `/market/beats/${beat}?buy=basic&price=22` });
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It was $22.00, and is $30.00 now.").waitFor();
});

test("a link to buy a basic license that is not sold opens the dialog with the next license", async () => {
  const beat = await beatOf("Lost Cinema");
  await database()
    .query.updateTable("beats")
    .set({ unsold_licenses: ["basic"] })
    .where("id", "=", beat)
    .execute();
  onTestFinished(async () => {
    await database().query.updateTable("beats").set({ unsold_licenses: [] }).where("id", "=", beat).execute();
  });
  const { page } = await portal.signUp({ path: `/market/beats/${beat}?buy=basic` });
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Put Premium into the basket/ })
    .waitFor();
});

test("a registration during a purchase returns to the beat and the chosen license, on the device that opens the mail", async () => {
  const beat = await beatOf("Lost Cinema");
  const page = await portal.visit(`/portal/market/beats/${beat}?buy=premium`);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Name").fill("Robin Sand");
  await page.getByLabel("E-mail").fill("robin@example.com");
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery staple");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("it leads back to where you were").waitFor();
  const link = /https:\S+confirm\S+/.exec(await portal.server.mailTo("robin@example.com", /confirm\S*#/))?.[0] ?? "";

  const phone = await portal.visit(new URL(link).href.slice(new URL(link).origin.length));
  await phone.getByLabel("Password", { exact: true }).fill("correct horse battery staple");
  await phone.getByRole("button", { name: "Confirm and sign in" }).click();
  const dialog = phone.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Put Premium into the basket/ }).waitFor();
  expect(new URL(phone.url()).pathname).toBe(`/portal/market/beats/${beat}`);
});

test("the studio locks a sold beat, and asks before it discards unsaved edits", async () => {
  const { page, userId } = await portal.signUp();
  const [sold, editedBeat] = await database()
    .query.selectFrom("beats")
    .select("id")
    .where("is_listed", "=", true)
    .orderBy("id", "desc")
    .limit(2)
    .execute();
  if (sold === undefined || editedBeat === undefined) throw new Error("no beats");
  await database()
    .query.updateTable("beats")
    .set({ user_id: userId })
    .where("id", "in", [sold.id, editedBeat.id])
    .execute();
  await database()
    .query.updateTable("beats")
    .set({ exclusive_state: "sold", exclusive_order_id: 1, is_listed: false })
    .where("id", "=", sold.id)
    .execute();
  await page.goto("/portal/studio");
  await page.getByText("Sold", { exact: true }).waitFor();

  await page.goto(`/portal/studio/beats/${sold.id}`);
  await checkPage(page, "studio-sold", () => page.getByText("Sold: its exclusive license is bought").waitFor());
  expect(await page.getByText("On sale", { exact: true }).count()).toBe(0);
  expect(await page.getByLabel("Title").isDisabled()).toBe(true);
  expect(await page.getByRole("button", { name: "Save changes" }).count()).toBe(0);

  await page.goto(`/portal/studio/beats/${editedBeat.id}`);
  await page.getByLabel("Title").fill("An edit that is not saved");
  await page.getByRole("link", { name: "Library" }).first().click();
  await checkPage(page, "unsaved", () => page.getByText("Leave without saving?").waitFor());
  await page.getByRole("button", { name: "Stay" }).click();
  expect(await page.getByLabel("Title").inputValue()).toBe("An edit that is not saved");
  const question = page.waitForEvent("dialog");
  void page.evaluate(() => location.reload());
  const dialog = await question;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  expect(await page.getByLabel("Title").inputValue()).toBe("An edit that is not saved");
  await page.getByRole("link", { name: "Library" }).first().click();
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await page.getByRole("heading", { name: "Library" }).waitFor();
});
