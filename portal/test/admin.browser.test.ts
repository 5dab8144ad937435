import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { axeFindings } from "../../server/test/harness/accessibility.ts";
import { checkPage, goTo, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

test("an operator changes a plan, suspends an account and revokes a key; the logs show it", async () => {
  const { key } = JSON.parse(await portal.server.run("keys", "create", "--email", "abuser@example.com", "--json"));
  const { page, context } = await portal.signUpOperator({ path: "" });
  await goTo(page, "Accounts");
  await page.getByRole("textbox", { name: "Search accounts" }).fill(key);
  await page.keyboard.press("Enter");
  // The address has the key's hash instead of the key.
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toMatch(/^[0-9a-f]{64}$/);
  await page.getByRole("link", { name: "abuser@example.com" }).click();
  await page.getByRole("heading", { name: "abuser@example.com", level: 1 }).waitFor();
  await checkPage(page, "admin-account", () => page.getByRole("region", { name: "API keys" }).waitFor());

  const dialog = page.getByRole("dialog");
  const confirm = async (name: string, reason: string) => {
    await dialog.getByLabel("Reason").fill(reason);
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await page.getByRole("combobox", { name: /^Plan of / }).selectOption("plus");
  await confirm("Change the plan", "They pay for it");
  await page.getByRole("button", { name: "Suspend" }).click();
  await confirm("Suspend", "Scraping for resale");
  await page.getByText("This account is suspended").waitFor();
  await portal.server.mailTo("abuser@example.com", /Scraping for resale/);
  await context.request.get("/v1/genres", { headers: { authorization: `Bearer ${key}` } });
  await page.getByRole("button", { name: "Revoke" }).click();
  await confirm("Revoke for good", "Found in a public repository");

  await goTo(page, "Audit");
  await page.getByRole("cell", { name: /Account suspended/ }).waitFor();
  await page.getByRole("cell", { name: /standard to plus\. Reason: They pay for it\.$/ }).waitFor();
  await page.getByRole("cell", { name: /^API key revoked.*Reason: Found in a public repository\.$/ }).waitFor();
  expect(await axeFindings(page)).toEqual([]);

  // The log of all accounts has the refused call, with the reason and the advice.
  await goTo(page, "Calls");
  const refused = page.getByRole("row").filter({ hasText: "403" }).filter({ hasText: "/v1/genres" }).first();
  await expect
    .poll(async () => {
      await page.reload();
      await page.getByRole("table").waitFor();
      return refused.count();
    })
    .toBe(1);
  await refused.getByRole("link").last().click();
  await page.getByRole("heading", { name: "GET /v1/genres", level: 1 }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole("link", { name: "What to do about 403" }).click();
  await page.waitForURL(/\/portal\/docs\/api\/authentication#suspended-accounts$/);
});

test("an organisation's row leads to the account, and Enter filters by an account's id", async () => {
  const { page, userId } = await portal.signUpOperator({ path: "/organisation" });
  await page.getByLabel("Name").fill("Acme Records");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("Acme Records").first().waitFor();
  await page.goto("/portal/admin/audit");
  await page
    .getByRole("link", { name: /^@acme/ })
    .first()
    .click();
  await page.getByRole("heading", { name: "Acme Records", level: 1 }).waitFor();

  for (const path of ["audit", "calls"]) {
    await page.goto(`/portal/admin/${path}`);
    await page.getByLabel("Account id").fill(String(userId));
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("account") === String(userId));
  }
});

test("an operator refunds an order after a confirmation, and five pages of the menu are accessible", async () => {
  const { page } = await portal.signUpOperator({ path: "/admin/orders" });
  await page.getByRole("row").filter({ hasText: "completed" }).first().getByRole("link").first().click();
  await page.getByRole("button", { name: "Refund" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("Sold twice");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("This cannot be undone.").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole("button", { name: /^Refund \$/ }).click();
  await page.getByRole("cell", { name: /^Refund \d+ succeeded$/ }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.getByRole("button", { name: "Refund" }).count()).toBe(0);
  for (const [link, heading] of [
    ["Accounts", "Accounts"],
    ["Orders", "Orders"],
    ["Webhook fleet", "Webhook fleet"],
    ["Calls", "All calls"],
    ["Errors", "Errors by kind"],
  ] as const) {
    await goTo(page, link);
    await checkPage(page, `admin-${link}`, () => page.getByRole("heading", { name: heading, level: 1 }).waitFor());
  }
});

test("an operator sees an import and the reasons for rejected rows", async () => {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-import-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [file, mapping] = [join(folder, "new-beats.csv"), join(folder, "columns.json")];
  await writeFile(file, "name,by,bpm\nNight,Ana,90\n,Bo,120\nDay,Bo,\n");
  await writeFile(mapping, JSON.stringify({ source: "shop", fields: { title: "name", producer: "by", tempo: "bpm" } }));
  await portal.server.run("import", file, "--map", mapping);
  const { page } = await portal.signUpOperator({ path: "/admin/imports" });
  const row = page.getByRole("row").filter({ hasText: "new-beats.csv" });
  await row.getByText("finished").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await row.getByRole("link").click();
  await checkPage(page, "admin-import", () => page.getByRole("cell", { name: "title: empty" }).waitFor());
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Rejected rows" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toMatch(/^{"line":3,.*}\n{"line":4,.*}\n$/);
});

test("a page for operators does not exist for other accounts", async () => {
  const { page } = await portal.signUp({ path: "/admin/accounts" });
  await page.getByText("There is no such page").waitFor();
  expect(await page.title()).toBe("Not found · Beat Marketplace");
  expect(await page.getByText("Operate").count()).toBe(0);
});
