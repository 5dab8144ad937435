import { expect, test } from "vitest";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { insertUpload } from "../../server/test/harness/database/uploads.ts";
import { checkPage, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

test("a producer sets the defaults of new beats by keyboard, and Escape does not discard input", async () => {
  const { page, userId } = await portal.signUp({ path: "/studio" });
  const open = page.getByRole("button", { name: "Defaults" });
  await open.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "What new beats begin with" });
  await checkPage(page, "studio-defaults", () => dialog.getByRole("textbox", { name: "Tags" }).waitFor());

  await dialog.getByRole("textbox", { name: "Tags" }).focus();
  await page.keyboard.type("dusty");
  await page.keyboard.press("Enter");
  await dialog.getByLabel("Sell unlimited licenses").focus();
  await page.keyboard.press("Space");
  await dialog.getByLabel("Basic", { exact: true }).fill("21.50");

  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Stay" }).click();
  await dialog.getByText("dusty").waitFor();

  await dialog.getByRole("button", { name: "Save the defaults" }).focus();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  // The button has the focus again.
  await expect.poll(() => open.evaluate((button) => button === document.activeElement)).toBe(true);

  const upload = await insertUpload(openTestDatabase(portal.server.databaseUrl), { userId });
  await page.goto(`/portal/studio/uploads/${upload}`);
  await page.getByText("dusty", { exact: true }).waitFor();
  expect(await page.getByLabel("Basic", { exact: true }).inputValue()).toBe("21.50");
  expect(await page.getByLabel("Sell unlimited licenses").isChecked()).toBe(false);
  expect(await page.getByLabel("Sell exclusive licenses").isChecked()).toBe(true);
});
