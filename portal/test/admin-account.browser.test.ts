import { expect, test } from "vitest";
import { axeFindings } from "../../server/test/harness/accessibility.ts";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { placeTestOrder } from "../../server/test/harness/database/place-order.ts";
import { checkPage, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

test("an operator sees what an account sells and sets its commission by keyboard", async () => {
  const database = openTestDatabase(portal.server.databaseUrl);
  const producer = await portal.signUp({ name: "Nora Night", email: "nora@example.com" });
  const buyer = await portal.signUp({ name: "Robin Sand" });
  const { id: beatId } = await database.query
    .selectFrom("beats")
    .select("id")
    .where("title", "=", "Lost Cinema")
    .executeTakeFirstOrThrow();
  await database.driver`update beats set user_id = ${producer.userId} where id = ${beatId}`;
  const order = await placeTestOrder(database, { userId: buyer.userId, beatId });

  const { page } = await portal.signUpOperator({ path: `/admin/accounts/${producer.userId}` });
  const money = page.getByRole("region", { name: "Money" });
  const sales = page.getByRole("region", { name: "Newest sales" }).last();
  await checkPage(page, "admin-account-shop", () => sales.getByRole("link", { name: String(order.id) }).waitFor());
  await page.getByRole("heading", { level: 1, name: "nora@example.com" }).waitFor();
  await money.getByText(/^1 for \$/).waitFor();
  await money.getByText(/, the default$/).waitFor();
  await page.getByRole("region", { name: "Newest beats" }).last().getByText("Lost Cinema").waitFor();

  await page.getByRole("button", { name: "Change the commission" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change the commission" });
  await dialog.getByLabel("Percent of each sale").focus();
  await page.keyboard.type("12.5");
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByLabel("Reason").focus();
  await page.keyboard.type("Agreed by contract");
  await dialog.getByRole("button", { name: "Set the commission" }).focus();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await money.getByText("12.5 %, set for this account").waitFor();

  await sales.getByRole("link", { name: String(order.id) }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: `Order ${order.id}` }).waitFor();
});
