import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { checkPage, goTo, password, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

describe("a visitor", () => {
  test("registers, follows the mailed link, and is signed in", async () => {
    const page = await portal.open("/register");
    await page.getByLabel("Name").fill("Grace Hopper");
    await page.getByLabel("E-mail").fill("grace@example.com");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText("Check your mail").waitFor();
    const link = /https:\S+\/portal\/confirm#\S+/.exec(
      await portal.server.mailTo("grace@example.com", /confirm#/),
    )?.[0];
    await page.goto(link ?? "");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Confirm and sign in" }).click();
    await page.getByRole("button", { name: "Account of Grace Hopper" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/portal");
  });

  test("signs in as the demo account with one click, and out again", async () => {
    const page = await portal.open("");
    await page.getByRole("button", { name: "Try it with the demo account" }).click();
    await page.getByRole("button", { name: "Account of Demo" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  test("returns to the requested page after signing in", async () => {
    const page = await portal.open("/analytics?window=day");
    await page.getByRole("button", { name: "Try it with the demo account" }).click();
    await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/portal/analytics");
  });

  test.each(["//evil.example/", "https://evil.example/", "javascript:alert(1)", "/\\evil.example"])(
    "is not redirected to another site by a crafted link (%s)",
    async (next) => {
      const page = await portal.open(`/sign-in?next=${encodeURIComponent(next)}`);
      await page.getByRole("button", { name: "Try it with the demo account" }).click();
      await page.getByRole("button", { name: "Account of Demo" }).waitFor();
      expect(new URL(page.url()).origin).toBe(portal.server.origin);
    },
  );
});

test("a wrong password shows an error with the request id", async () => {
  const page = await portal.open("/sign-in");
  await page.getByLabel("E-mail").fill("nobody@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a wrong password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const alert = page.getByRole("alert");
  await alert.getByText("The e-mail address or the password is wrong.").waitFor();
  expect(await alert.locator("code").textContent()).toMatch(/^[0-9a-f-]{36}$/);
  // The password has the focus, because the user must type it again.
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe("password");
});

test("the sign-in page appears when the session has ended", async () => {
  const { page, context } = await portal.signUp({ path: "/account" });
  await page.getByRole("heading", { name: "Profile" }).waitFor();
  await context.clearCookies();
  await goTo(page, "Request log");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});

describe("16 minutes after the sign-in", () => {
  test("a secret needs the password, which the keyboard alone can enter", async () => {
    const developer = await portal.signUp({ path: "/webhooks" });
    const { page } = developer;
    await page.getByRole("button", { name: "Create an inbox" }).click();
    await page.getByRole("button", { name: "Show the secret" }).waitFor();
    await portal.ageSession(developer);
    await page.getByRole("button", { name: "Show the secret" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await checkPage(page, "step-up", () => dialog.waitFor());
    const field = dialog.getByLabel("Password", { exact: true });
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.type("a wrong password");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").waitFor();
    await field.fill(password);
    // A busy server may refuse an attempt. Repeat it like a person, who waits for the response.
    await expect
      .poll(async () => {
        const response = page.waitForResponse("**/portal/api/auth/sign-in");
        await page.keyboard.press("Enter");
        return (await response).ok();
      })
      .toBe(true);
    await page.getByText(/^whsec_/).waitFor();
    await dialog.waitFor({ state: "detached" });
  });

  test("Escape closes only the sign-in dialog, and a later sign-in creates the key", async () => {
    const developer = await portal.signUp({ path: "/keys" });
    const { page } = developer;
    await portal.ageSession(developer);
    await page.getByRole("button", { name: "New API key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Website");
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("alert").getByText("needs a sign-in of the last 15 minutes").waitFor();
    await page.getByRole("button", { name: "Create key" }).click();
    await dialog.getByLabel("Password", { exact: true }).fill(password);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await page.getByTestId("issued-key").waitFor();
  });

  test("the demo account continues with one click", async () => {
    const developer = await portal.signInAsDemo("/keys");
    const { page } = developer;
    await portal.ageSession(developer);
    await page.getByRole("button", { name: "New API key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Website");
    await page.getByRole("button", { name: "Create key" }).click();
    await page
      .getByRole("dialog", { name: "Confirm that it is you" })
      .getByRole("button", { name: "Continue" })
      .click();
    await page.getByTestId("issued-key").waitFor();
  });
});

describe("the mailed link of a claim", () => {
  /** Creates an imported producer without beats, and a claim. Returns the claim's token. */
  async function claimOf(email: string): Promise<string> {
    const { driver } = openTestDatabase(portal.server.databaseUrl);
    const token = randomBytes(32).toString("base64url");
    await driver`
      with producer as (
        insert into users (username, display_name, import_name, is_producer) values (${token}, 'Nova', ${token}, true) returning id
      )
      insert into producer_claims (producer_id, email, token_sha256, created_at, expires_at)
      select id, ${email}, ${createHash("sha256").update(token).digest()}, now(), now() + interval '1 day' from producer`;
    return token;
  }

  test("opens a page whose button hands over the producer", async () => {
    const page = await portal.open(`/claim#${await claimOf("nova@example.com")}`);
    const button = page.getByRole("button", { name: "Take them over" });
    await button.waitFor();
    await checkPage(page, "claim", () => page.getByText("nova@example.com").waitFor());
    await button.click();
    await page.getByRole("heading", { name: "The beats are yours" }).waitFor();
    await page.getByRole("link", { name: "Choose its password" }).click();
    await page.waitForURL(/forgot-password$/);
  });

  test("shows an error if no claim has its token", async () => {
    const page = await portal.open(`/claim#${"x".repeat(43)}`);
    await page.getByRole("alert").getByText("This link does not work any more").waitFor();
  });
});

describe("in both widths and colour schemes", () => {
  test.each([
    ["sign-in", "/sign-in", "Sign in"],
    ["register", "/register", "Create an account"],
    ["confirm", "/confirm#token", "Confirm your registration"],
    ["forgot-password", "/forgot-password", "Choose a new password"],
    ["confirm-email", "/confirm-email#token", "Confirm your new address"],
    ["undo-email", "/undo-email#token", "Take your account back"],
    ["reset-password", "/reset-password#token", "Choose a new password"],
    ["missing", "/no/such/page", "There is no such page"],
  ])("the page %s is accessible", async (name, path, heading) => {
    const page = await portal.open(path);
    await checkPage(page, name, () => page.getByRole("heading", { name: heading }).waitFor());
  });
});

test("a producer opens the public page from the account, copies its link, and sees the code of its player", async () => {
  const { page } = await portal.signInAsDemo("/account");
  const part = page.getByRole("region", { name: "Your public page" });
  await part.getByRole("button", { name: "Copy the link of the public page" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${portal.server.origin}/producers/demo`);
  expect(await part.getByLabel("Player for your own site").inputValue()).toContain(
    `<iframe src="${portal.server.origin}/embed/producers/demo?size=medium"`,
  );
  await part.getByRole("link", { name: "Open the public page" }).click();
  await page.getByRole("heading", { name: "Demo", level: 1 }).waitFor();
});

test("a page beyond the last one links to the first, and pages with the same heading have different titles", async () => {
  const { page } = await portal.signInAsDemo("/library?page=999");
  for (const path of ["library", "sales", "studio"]) {
    await page.goto(`/portal/${path}?page=999`);
    await page.getByText("There is no page 999").waitFor();
    await page.getByRole("button", { name: "First page" }).click();
    await page.waitForURL((url) => url.search === "");
    await page.getByText("There is no page 999").waitFor({ state: "detached" });
  }
  const expectTitle = (title: string) => expect.poll(() => page.title()).toBe(`${title} · Beat Marketplace`);
  for (const [path, title] of [
    ["account", "Profile · Account"],
    ["account/sessions", "Sessions · Account"],
    ["market?q=lost+cinema", "lost cinema · Catalogue"],
    ["nowhere", "Not found"],
  ] as const) {
    await page.goto(`/portal/${path}`);
    await expectTitle(title);
  }
});

test("on a phone, the account's open tab is inside the window, and Tab skips the closed menu", async () => {
  const { page } = await portal.signInAsDemo();
  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto("/portal/account/log");
  const tab = page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: "Security log" });
  await expect
    .poll(async () => ((await tab.boundingBox())?.x ?? 390) + ((await tab.boundingBox())?.width ?? 0))
    .toBeLessThanOrEqual(390);
  // After the header, the focus goes to the page and not into the menu.
  await page.getByRole("button", { name: /^Account of / }).focus();
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.closest("main")?.id)).toBe("content");
  await page.getByRole("button", { name: "Open the menu" }).click();
  await page.getByRole("link", { name: "Front page" }).click();
  await page.waitForURL((url) => url.pathname === "/");
});
