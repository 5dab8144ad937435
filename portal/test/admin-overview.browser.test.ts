import { expect, test } from "vitest";
import { checkPage, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

const figures = [
  ["Sales", "Sign-ups", "Uploads", "Open reports", "Requests for limits", "Payouts", "Open payments", "Mails"],
  ["Webhook deliveries", "Webhook endpoints", "Media jobs", "Disk", "Backups", "Limits"],
].flat();

test("the overview states each figure in words, and the keyboard follows a figure's link", async () => {
  const { page } = await portal.signUpOperator({ path: "/admin" });
  const table = page.getByRole("region", { name: "Figures" });
  await checkPage(page, "admin-overview", () => table.getByRole("row").nth(figures.length).waitFor());
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Overview");
  const rows = await table.getByRole("row").all();
  const names: string[] = [];
  for (const row of rows.slice(1)) {
    const [name = "", , state, words = ""] = await row.getByRole("cell").allTextContents();
    names.push(name);
    expect(["Good", "Look at it", "Wrong", "Not used"], name).toContain(state);
    expect(words, name).toMatch(/\.$/);
  }
  expect(names).toEqual(figures);

  // The region scrolls by arrow keys on a phone, so Tab stops at the region before its links.
  await table.focus();
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Sales");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Orders" }).waitFor();
});

test("the overview says that backups are not used, and names the setting that switches them on", async () => {
  const { page } = await portal.signUpOperator({ path: "/admin", email: "second@example.com" });
  const backups = page.getByRole("row").filter({ hasText: "Backups" });
  await backups.getByText("Not used").waitFor();
  await backups
    .getByText(/BACKUP_VAULT/)
    .first()
    .waitFor();
});

test("only operators can open the overview", async () => {
  const { page } = await portal.signUp({ path: "/admin" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.getByRole("region", { name: "Figures" }).count()).toBe(0);
});
