import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkLooks } from "../../server/test/harness/accessibility.ts";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { portalBrowser, retryWhileShed } from "./harness.ts";

const portal = portalBrowser({}, { newContexts: true });

const check = (page: Page, name: string): Promise<void> => checkLooks(page, `upgrade-${name}`);

/** Buys the basic license of “Lost Cinema”. Returns the order's id. */
async function buyBasic(page: Page): Promise<number> {
  const { query: db } = openTestDatabase(portal.server.databaseUrl);
  const { id } = await db.selectFrom("beats").select("id").where("title", "=", "Lost Cinema").executeTakeFirstOrThrow();
  await page.goto(`/beats/${id}`);
  await page.getByRole("button", { name: "Buy the basic license" }).click();
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByRole("button", { name: /^A card that pays/ }).click();
  await page.getByText("The licenses are yours").waitFor();
  const order = await db.selectFrom("orders").select("id").orderBy("id", "desc").limit(1).executeTakeFirstOrThrow();
  return order.id;
}

test("a license holder reports usage, and upgrades in the library for the difference in price", async () => {
  const { page } = await portal.signUp({ name: "Ada" });
  const order = await buyBasic(page);
  await page.goto(`/portal/library?order=${order}`);
  await page.getByRole("link", { name: /^Upgrade: pay .+ more$/ }).click();
  await page.getByRole("heading", { name: `License of order ${order}` }).waitFor();
  await page.getByLabel("How many").fill("85000");
  await page.getByLabel("Who counted").fill("Distributor");
  await page.getByRole("button", { name: "Report", exact: true }).click();
  await page.getByText("85,000 of 100,000 (85 %)").waitFor();
  const chooseCsv = (rows: string) =>
    page
      .getByLabel("Choose a CSV file of a distributor", { exact: true })
      .and(page.locator("input"))
      .setInputFiles({
        name: "usage.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(`use,quantity,period,source\n${rows}`),
      });
  await chooseCsv("streams,1200,2001-01,Distributor\n");
  await page.getByText(/before the month of the order/).waitFor();
  const month = new Date().toISOString().slice(0, 7);
  const overused = page.getByText(/more than the license allows\. Upgrade it/);
  await chooseCsv(`copies,2200,${month},Shop\nvideos,1,${month},Ada\n`);
  await page.getByText("2,200 of 2,000 (110 %)").waitFor();
  expect(await overused.count()).toBe(1);
  await page.getByText("1 of 1 (100 %)").waitFor();
  await check(page, "license");
  await page.getByRole("button", { name: /^Upgrade to Premium: pay .+ more$/ }).click();
  await page.getByText("Upgrade of your license from Basic to Premium").waitFor();
  await check(page, "basket");
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByText("premium license in place of your present one").waitFor();
  await page.getByRole("button", { name: /^A card that pays/ }).click();
  await page.getByText("The licenses are yours").waitFor();
  await page.goto(`/portal/library/${order}/license`);
  await page.getByText("Replaced", { exact: true }).waitFor();
  await page.getByText(/^Another license replaced this one/).waitFor();
  expect(await overused.count()).toBe(0);
});

test("the public page of a license offers the upgrade only to its holder", async () => {
  const { page, context } = await portal.signUp({ name: "Grace" });
  const order = await buyBasic(page);
  const response = await retryWhileShed(() => context.request.get(`/portal/api/library/orders/${order}/files`));
  const { pathname } = new URL((await response.json()).license.url);
  await page.goto(pathname);
  await page.getByRole("heading", { name: "Upgrade" }).waitFor();
  await check(page, "public-page");
  const stranger = await portal.visit(pathname);
  expect(await stranger.getByRole("heading", { name: "Upgrade" }).count()).toBe(0);
  await page.getByRole("button", { name: /^Upgrade to premium: pay/ }).press("Enter");
  await page.getByRole("button", { name: /^Pay / }).press("Enter");
  await page.getByRole("button", { name: /^A card that pays/ }).click();
  await page.getByText("The licenses are yours").waitFor();
  await page.goto(pathname);
  await page.getByText(/was replaced by another one/).waitFor();
  expect(await page.getByRole("heading", { name: "Upgrade" }).count()).toBe(0);
});
