import { expect, test } from "vitest";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { checkPage, type Developer, goTo, password, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

const edit = "What I have written for an hour";

async function write() {
  const developer = await portal.signUp({ path: "/account" });
  await developer.page.getByLabel("Bio (optional)").fill(edit);
  return developer;
}
const endSessions = ({ userId }: Developer) =>
  openTestDatabase(portal.server.databaseUrl).driver`
    delete from portal_sessions where user_id = (select id from portal_users where user_id = ${userId})`;

test("asks before another page takes the place of one that is not saved, and not after it is saved", async () => {
  const { page } = await write();
  await goTo(page, "Library");
  await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
  await page.getByRole("button", { name: "Stay" }).click();
  expect(await page.getByLabel("Bio (optional)").inputValue()).toBe(edit);
  await page.getByRole("button", { name: "Save the profile" }).click();
  await page.getByText("Saved.").waitFor();
  await goTo(page, "Library");
  await page.getByRole("heading", { name: "Library" }).waitFor();
});

test("asks before a dialog closes over a choice that was made in it, by Escape and by Cancel", async () => {
  const { page } = await portal.signUp({ path: "/keys" });
  await page.getByRole("button", { name: "New API key" }).click();
  const dialog = page.getByRole("dialog", { name: "New API key" });
  await dialog.getByLabel("Expires").selectOption("In 30 days");
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Stay" }).waitFor();
  // Escape answers the question, and leaves the dialog below it alone.
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  expect(await dialog.getByLabel("Expires").inputValue()).toBe("30");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await question.getByRole("button", { name: "Leave", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  // Nothing is left to ask about.
  await goTo(page, "Library");
  await page.getByRole("heading", { name: "Library" }).waitFor();
});

test("asks again when Back is pressed while it asks, and stays", async () => {
  const { page } = await portal.signUp({ path: "/account" });
  await goTo(page, "Library");
  await page.getByRole("button", { name: "Change the details for invoices" }).click();
  const name = page.getByLabel("Name or company");
  await name.fill(edit);
  await goTo(page, "Studio");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.waitFor();
  await page.evaluate(`new Promise((resolve) => {
    addEventListener("popstate", resolve, { once: true });
    history.back();
  }).then(() => {})`);
  await question.getByRole("button", { name: "Stay" }).click();
  await question.waitFor({ state: "detached" });
  await page.waitForURL("**/portal/library");
  expect(await name.inputValue()).toBe(edit);
});

test("has the browser ask before the tab is closed", async () => {
  const { page } = await write();
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  expect(await page.getByLabel("Bio (optional)").inputValue()).toBe(edit);
});

test("asks before a sign-out that its user wants", async () => {
  const { page } = await write();
  const signOut = async () => {
    await page.getByRole("button", { name: /^Account of / }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  };
  await signOut();
  await page.getByRole("button", { name: "Stay" }).click();
  expect(await page.getByLabel("Bio (optional)").inputValue()).toBe(edit);
  await signOut();
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});

test("keeps the page when the session ends, until its user has signed in again and saves", async () => {
  const developer = await write();
  const { page, context, email } = developer;
  await endSessions(developer);
  await page.getByRole("button", { name: "Save the profile" }).click();
  const ended = page.getByRole("dialog", { name: "Your session has ended" });
  await checkPage(page, "session-ended", () => ended.waitFor());
  expect(await page.getByLabel("Bio (optional)").inputValue()).toBe(edit);

  const tab = context.waitForEvent("page");
  await ended.getByRole("link", { name: "Sign in (new tab)" }).click();
  const other = await tab;
  await other.getByLabel("E-mail").fill(email);
  await other.getByLabel("Password", { exact: true }).fill(password);
  await other.getByRole("button", { name: "Sign in", exact: true }).click();
  await other.getByRole("button", { name: /^Account of / }).waitFor();
  await page.bringToFront();
  await ended.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Save the profile" }).click();
  await page.getByText("Saved.").waitFor();
  await page.reload();
  expect(await page.getByLabel("Bio (optional)").inputValue()).toBe(edit);
});

test("leaves for the sign-in page without the work only when its user says so", async () => {
  const developer = await write();
  const { page } = developer;
  await endSessions(developer);
  await page.getByRole("button", { name: "Save the profile" }).click();
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});
