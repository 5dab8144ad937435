import { expect, test } from "vitest";
import { codeOfApp } from "../../server/test/harness/code-of-app.ts";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { checkPage, password, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

test("the sign-in asks for a code after an authenticator is set up", async () => {
  const { page, context, email, userId } = await portal.signUp({ path: "/account/security" });
  await page.getByRole("button", { name: "Set up an app" }).click();
  const dialog = page.getByRole("dialog");
  await checkPage(page, "account-authenticator", () => dialog.getByLabel("QR code of the key").waitFor());
  const secret = (await dialog.getByTestId("totp-secret").textContent()) ?? "";
  await dialog.getByLabel("Code", { exact: true }).fill(codeOfApp(secret));
  await page.keyboard.press("Enter");
  await checkPage(page, "account-recovery-codes", () => dialog.getByTestId("recovery-codes").waitFor());
  await dialog.getByRole("button", { name: "I have kept them" }).click();
  await page.getByText("10 recovery codes are left.").waitFor();

  // Each code works once, and the 30 seconds of the set-up code may not be over: forget that it was used.
  const { driver } = openTestDatabase(portal.server.databaseUrl);
  await driver`
    update portal_authenticators set last_step = 0
    where account_id = (select id from portal_users where user_id = ${userId})`;
  await context.clearCookies();
  await page.goto("/portal/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await checkPage(page, "sign-in-code", () => page.getByRole("heading", { name: "Enter the code" }).waitFor());
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe("code");
  await page.keyboard.type("000000");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("The code is wrong").waitFor();
  await page.getByLabel("Code", { exact: true }).fill(codeOfApp(secret));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Account of Ada Developer" }).waitFor();
});

test("a new passkey signs in without a password, and the user ends one other session, then all others", async () => {
  const { page, context } = await portal.signUp({ path: "/account/security" });
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name").fill("Work laptop");
  const make = page.getByRole("button", { name: "Make the passkey" });
  await checkPage(page, "account-passkey-name", () => make.waitFor());
  await make.click();
  await checkPage(page, "account-security", () =>
    page.getByRole("cell", { name: "Work laptop", exact: true }).waitFor(),
  );

  for (const _ of ["a second", "a third session"]) {
    await context.clearCookies();
    await page.goto("/portal/sign-in");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("button", { name: "Account of Ada Developer" }).waitFor();
  }
  await page.goto("/portal/account/sessions");
  await checkPage(page, "account-sessions", () => page.getByText("This one", { exact: true }).waitFor());
  const endButtons = page.getByRole("button", { name: /^End .* from / });
  await expect.poll(() => endButtons.count()).toBe(2);
  await endButtons.first().click();
  await expect.poll(() => endButtons.count()).toBe(1);
  await page.getByRole("button", { name: "End all others" }).click();
  await expect.poll(() => endButtons.count()).toBe(0);
  await page.getByText("This one", { exact: true }).waitFor();
  await page.goto("/portal/account/log");
  await checkPage(page, "account-log", () => page.getByText("with the passkey Work laptop").first().waitFor());
});

test("a mailed link changes the address, and the owner then exports and deletes the account", async () => {
  const { page } = await portal.signUp({ path: "/account" });
  await page.getByLabel("Bio").fill("I write hooks.");
  await page.getByRole("button", { name: "Save the profile" }).click();
  await page.getByText("Saved.").waitFor();
  await checkPage(page, "account", () => page.getByRole("heading", { name: "E-mail address" }).waitFor());
  await page.getByLabel("New e-mail address").fill("ada.new@example.com");
  await page.getByRole("button", { name: "Change the address" }).click();
  await page.getByText("Check your mail").waitFor();
  const link = /https:\S+confirm-email#\S+/.exec(await portal.server.mailTo("ada.new@example.com", /confirm-email#/));
  await page.goto(link?.[0] ?? "");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Use this address" }).click();
  await page.getByRole("heading", { name: "The address is changed" }).waitFor();

  await page.goto("/portal/account/data");
  await checkPage(page, "account-data", () => page.getByRole("heading", { name: "Your data" }).waitFor());
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download your data" }).click();
  expect((await download).suggestedFilename()).toBe("beat-marketplace-account.json");
  await page.getByRole("button", { name: "Delete the account" }).click();
  const dialog = page.getByRole("dialog");
  await checkPage(page, "account-delete", () => dialog.waitFor());
  await dialog.getByLabel(/^Type/).fill("ada.new@example.com");
  await dialog.getByRole("button", { name: "Delete for good" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});
