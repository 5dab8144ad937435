import { expect, test } from "vitest";
import { axeFindings, saveScreenshot } from "../../server/test/harness/accessibility.ts";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { checkPage, goTo, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

test("an operator takes a beat down, the producer answers the reason, and the operator restores the beat", async () => {
  const { driver } = openTestDatabase(portal.server.databaseUrl);
  const nora = await portal.signUp({ name: "Nora Producer", email: "nora@example.com" });
  const [row] = await driver`select id, title from beats where is_listed order by id limit 1`;
  const { id, title } = row as { id: number; title: string };
  await driver`update beats set user_id = ${nora.userId} where id = ${id}`;
  const olga = await portal.signUpOperator({ email: "olga@example.com" });
  const { page } = olga;
  await page.goto("/portal");
  await goTo(page, "Beats");
  await page.getByRole("textbox", { name: "Search beats" }).fill(String(id));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: `Take down ${title}` }).click();
  await dialog.getByLabel("Reason").fill("A stolen sample");
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Take down", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("A stolen sample.").waitFor();
  await portal.server.mailTo("nora@example.com", /A stolen sample/);

  const frontPage = await portal.visit("/");
  const response = await frontPage.goto(`/beats/${id}`);
  expect(response?.status()).toBe(410);
  await frontPage.getByRole("heading", { name: "This beat was taken down" }).waitFor();

  const studio = nora.page;
  await studio.goto(`/portal/studio/beats/${id}`);
  await checkPage(studio, "studio-taken-down", () => studio.getByText("A stolen sample.").waitFor());
  await studio.getByLabel("Your answer").fill("I played it myself.");
  await studio.getByRole("button", { name: "Send the answer" }).click();
  await studio.getByText("You answered, and the operator decides:").waitFor();

  await page.reload();
  await checkPage(page, "admin-beats", () => page.getByText("I played it myself.").waitFor());
  await page.getByRole("button", { name: `Restore ${title}` }).click();
  await dialog.getByLabel("Reason").fill("It is cleared");
  await dialog.getByRole("button", { name: "Restore", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(async () => (await frontPage.request.get(`/beats/${id}`)).status()).toBe(200);
  expect((await frontPage.goto(`/beats/${id}`))?.status()).toBe(200);
});

test("a stranger reports a beat without scripts, the producer objects, and the operator decides", async () => {
  const { driver } = openTestDatabase(portal.server.databaseUrl);
  const nina = await portal.signUp({ name: "Nina Producer", email: "nina@example.com" });
  const [row] = await driver`select id, title from beats where is_listed order by id desc limit 1`;
  const { id, title } = row as { id: number; title: string };
  await driver`update beats set user_id = ${nina.userId} where id = ${id}`;
  const olga = await portal.signUpOperator({ email: "olga-reports@example.com" });

  const stranger = await portal.visit(`/beats/${id}`, { javaScriptEnabled: false });
  await stranger.getByRole("link", { name: "Report this beat" }).click();
  await stranger.getByLabel("What is wrong with it").selectOption("sample");
  await stranger.getByLabel("What happened").fill("The hook is from my record, at 0:42.");
  await stranger.getByLabel("Your e-mail").fill("rita@example.com");
  await saveScreenshot(stranger, "report-form");
  await stranger.getByRole("button", { name: "Send the report" }).click();
  await stranger.getByRole("heading", { name: "Thank you" }).waitFor();
  await portal.server.mailTo("rita@example.com", /The hook is from my record/);

  const { page } = olga;
  const dialog = page.getByRole("dialog");
  await page.goto("/portal");
  await goTo(page, "Reports");
  const card = page.getByRole("article").filter({ hasText: title });
  await card.getByRole("button", { name: "Send the notice" }).click();
  expect(await axeFindings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Send the notice" }).click();
  await card.getByText("notice sent", { exact: true }).waitFor();
  expect(await card.getByRole("button", { name: "Uphold" }).count()).toBe(0);

  const studio = nina.page;
  await studio.goto(`/portal/studio/beats/${id}`);
  await checkPage(studio, "studio-reported", () => studio.getByText("The hook is from my record, at 0:42.").waitFor());
  await studio.getByLabel("Your counter-notice").fill("I played it myself.");
  await studio.getByRole("button", { name: "Send the counter-notice" }).click();
  await studio.getByText("You countered:").waitFor();

  await page.reload();
  await checkPage(page, "admin-reports", () => card.getByText("I played it myself.").waitFor());
  await card.getByRole("button", { name: "Uphold" }).click();
  await dialog.getByLabel("Reason").fill("It is the record");
  await dialog.getByRole("button", { name: "Uphold", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  await card.getByText("upheld", { exact: true }).waitFor();
  await portal.server.mailTo("nina@example.com", /It is the record/);
  expect((await stranger.goto(`/beats/${id}`))?.status()).toBe(410);
});
