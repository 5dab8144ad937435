import { expect, test } from "vitest";
import { checkLooks } from "../../server/test/harness/accessibility.ts";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { insertLicense } from "../../server/test/harness/database/licenses.ts";
import { portalBrowser } from "./harness.ts";

const portal = portalBrowser();

test("a producer sees what became of each sold license, and whose are nearly used up", async () => {
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
