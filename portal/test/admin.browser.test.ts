import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { axeFindings } from "../../server/test/harness/accessibility.ts";
import { checkPage, type Developer, goTo, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

/** An operator, with the start page open. */
async function operator(path = ""): Promise<Developer> {
  const email = `olga-${path.length}@example.com`;
  const developer = await portal.signUp({ name: "Olga Operator", email });
  await portal.server.run("users", "operator", "--email", email);
  await developer.page.goto(`/portal${path}`);
  return developer;
}

test("an operator finds an abuser by a key and suspends the account: the next call with the key is refused at once", async () => {
  const { key } = JSON.parse(
    await portal.server.run(
      "keys",
      "create",
      "--email",
      "abuser@example.com",
      "--permissions",
      "genres:read",
      "--json",
    ),
  );
  const { page, context } = await operator();
  const callStatus = async () =>
    (await context.request.get("/v1/genres", { headers: { authorization: `Bearer ${key}` } })).status();
  expect(await callStatus()).toBe(200);

  let clicks = 0;
  const click = async (name: string, role: "button" | "link" = "button") => {
    clicks++;
    await page.getByRole(role, { name, exact: true }).last().click();
  };
  await goTo(page, "Accounts");
  clicks++;
  await page.getByRole("textbox", { name: "Search accounts" }).fill(key);
  await page.keyboard.press("Enter");
  // The key itself is never in an address.
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toMatch(/^[0-9a-f]{64}$/);
  await click("abuser@example.com", "link");
  await page.getByRole("heading", { name: "abuser@example.com", level: 1 }).waitFor();
  await checkPage(page, "admin-account", () => page.getByRole("region", { name: "API keys" }).waitFor());
  const plan = page.getByRole("combobox", { name: /^Plan of / });
  await plan.selectOption("plus");
  await expect.poll(async () => (await plan.isEnabled()) && (await plan.inputValue())).toBe("plus");
  await click("Suspend");
  await page.getByLabel("Reason").fill("Scraping for resale");
  await click("Suspend");
  await page.getByText("This account is suspended").waitFor();
  // Within half a second, the time for which a look-up of a key is cached.
  await expect.poll(callStatus, { timeout: 5_000 }).toBe(403);
  expect(clicks).toBeLessThanOrEqual(4);
  await portal.server.mailTo("abuser@example.com", /Scraping for resale/);

  await goTo(page, "Audit");
  await page.getByRole("cell", { name: /Account suspended/ }).waitFor();
  await page.getByRole("cell", { name: /^Plan of an API key changed.*: standard to plus$/ }).waitFor();
  expect(await axeFindings(page)).toEqual([]);

  // The refused call is in the log of everybody, with why and what to do.
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
  await page.waitForURL(/\/portal\/docs\/api\/errors#403$/);
});

test("an operator refunds an order once it is confirmed, and every page is well", async () => {
  const { page } = await operator("/admin/orders");
  await page.getByRole("row").filter({ hasText: "completed" }).first().getByRole("link").first().click();
  await page.getByRole("button", { name: "Refund" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("This cannot be undone.").waitFor();
  await page.getByRole("button", { name: /^Refund \$/ }).click();
  await page.getByRole("cell", { name: /^Refund \d+ succeeded$/ }).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.getByRole("button", { name: "Refund" }).count()).toBe(0);
  for (const [link, heading] of [
    ["Accounts", "Accounts"],
    ["Orders", "Orders"],
    ["Webhook fleet", "Webhook fleet"],
    ["Calls", "Calls of everybody"],
    ["Errors", "Errors by kind"],
  ] as const) {
    await goTo(page, link);
    await checkPage(page, `admin-${link}`, () => page.getByRole("heading", { name: heading, level: 1 }).waitFor());
  }
});

test("an operator sees an import and why rows were rejected", async () => {
  const folder = await mkdtemp(join(tmpdir(), "beatmarket-import-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [file, mapping] = [join(folder, "new-beats.csv"), join(folder, "columns.json")];
  await writeFile(file, "name,by,bpm\nNight,Ana,90\n,Bo,120\nDay,Bo,\n");
  await writeFile(mapping, JSON.stringify({ source: "shop", fields: { title: "name", producer: "by", tempo: "bpm" } }));
  await portal.server.run("import", file, "--map", mapping);
  const { page } = await operator("/admin/imports");
  const row = page.getByRole("row").filter({ hasText: "new-beats.csv" });
  await row.getByText("finished").waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await row.getByRole("link").click();
  await checkPage(page, "admin-import", () => page.getByRole("cell", { name: "title: empty" }).waitFor());
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Rejected rows" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toMatch(/^{"line":3,.*}\n{"line":4,.*}\n$/);
});

test("to everybody else the pages do not exist", async () => {
  const { page } = await portal.signUp({ path: "/admin/accounts" });
  await page.getByText("There is no such page").waitFor();
  expect(await page.getByText("Operate").count()).toBe(0);
});
