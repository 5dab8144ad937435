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

test("with unsaved input the portal asks before it opens another page, and not after saving", async () => {
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

test("the portal asks before Escape or Cancel closes a dialog with a changed choice", async () => {
  const { page } = await portal.signUp({ path: "/keys" });
  await page.getByRole("button", { name: "New API key" }).click();
  const dialog = page.getByRole("dialog", { name: "New API key" });
  await dialog.getByLabel("Expires").selectOption("In 30 days");
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Stay" }).waitFor();
  // Escape answers the question and leaves the dialog open.
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  expect(await dialog.getByLabel("Expires").inputValue()).toBe("30");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await question.getByRole("button", { name: "Leave", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  // No unsaved input is left, so the portal does not ask.
  await goTo(page, "Library");
  await page.getByRole("heading", { name: "Library" }).waitFor();
});

test("the portal asks again and stays when Back is pressed during the question", async () => {
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

test("the portal makes the browser ask before the tab closes", async () => {
  const { page } = await write();
  const question = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await question;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  expect(await page.getByLabel("Bio (optional)").inputValue()).toBe(edit);
});

test("the portal asks before a sign-out", async () => {
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

test("the portal keeps the page when the session ends, until the user has signed in again and saves", async () => {
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

test("the portal discards the input for the sign-in page only with the user's consent", async () => {
  const developer = await write();
  const { page } = developer;
  await endSessions(developer);
  await page.getByRole("button", { name: "Save the profile" }).click();
  await page.getByRole("button", { name: "Leave without saving" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});
