import { wav } from "@beatmarket/audio/testing/audio-files.ts";
import { beat } from "@beatmarket/audio/testing/signals.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { password, portalBrowser } from "./harness.ts";

// Five newcomers go from the public page to their goals. Their tests count the clicks and assert the present number. A
// change that needs more clicks must explain here why.

// Webhooks may be sent only to public addresses, which is the default of a server.
const portal = portalBrowser({ WEBHOOK_ALLOW_PRIVATE: "off" });

/** Registers on the public page, confirms by the mailed link, and signs in. */
async function register(page: Page, name: string, email: string): Promise<void> {
  await page.getByRole("link", { name: "Get a key", exact: true }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.goto(await confirmation(email));
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Confirm and sign in" }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
}

async function confirmation(email: string): Promise<string> {
  const mail = await portal.server.mailTo(email, /confirm#/);
  return /https:\S+\/portal\/confirm#\S+/.exec(mail)?.[0] ?? "";
}

test("a developer makes the first call and receives the first verified webhook", async () => {
  const { page, presses } = await portal.visitCounted("/");
  await register(page, "Dana Developer", "dana@example.com");
  const toAccount = presses.clicks;

  await page.getByRole("button", { name: "Make an API key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("First");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("button", { name: "Copy API key" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Run it here" }).click();
  await page.getByText("Your key works.").waitFor();
  const toCall = presses.clicks;

  await page.getByRole("link", { name: "Receive a webhook" }).click();
  await page.getByRole("button", { name: "Create an inbox" }).click();
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByRole("heading", { name: "Verified, responded 200" }).waitFor();
  expect({ toAccount, toCall: toCall - toAccount, toWebhook: presses.clicks - toCall }).toEqual({
    toAccount: 3,
    toCall: 5,
    toWebhook: 3,
  });
});

test("the form advises a developer with a local receiver to use the inbox or `beatmarket-cli listen`", async () => {
  const { page } = await portal.signUp({ path: "/webhooks" });
  await page.getByRole("button", { name: "Add endpoint" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill("http://localhost:3000/webhooks");
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  await dialog
    .getByRole("alert")
    .getByText(/names localhost.*use the inbox in the portal, or beatmarket-cli listen/)
    .waitFor();
});

test("a producer publishes the first beat", async () => {
  const { page, presses } = await portal.visitCounted("/");
  await register(page, "Paula Producer", "paula@example.com");
  const toAccount = presses.clicks;

  await page.getByRole("link", { name: "sell your own" }).click();
  const recording = { name: "first_light.wav", mimeType: "audio/wav", buffer: wav(beat(20)) };
  await page.getByLabel("Choose files", { exact: true }).and(page.locator("input")).setInputFiles(recording);
  await page.getByText("Length").waitFor();
  await page.getByRole("combobox", { name: "Genre" }).click();
  await page.getByRole("option", { name: "House", exact: true }).click();
  await page.getByLabel("Basic", { exact: true }).fill("20");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("On sale", { exact: true }).waitFor();
  expect(presses.clicks - toAccount).toBe(4);
});

test("a buyer plays a beat, buys it and opens the certificate", async () => {
  const { page, presses } = await portal.visitCounted("/");
  await register(page, "Bert Buyer", "bert@example.com");
  const toAccount = presses.clicks;

  await page.getByRole("link", { name: "Find a beat" }).click();
  await page.getByLabel("Search beats").fill("lost cinema");
  await page.getByText("1 beat", { exact: true }).waitFor();
  await page.getByRole("link", { name: /^Buy Lost Cinema/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Put Basic into the basket/ }).click();
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByRole("button", { name: /^A card that pays/ }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "License certificate (PDF)" }).click();
  expect((await download).suggestedFilename()).toContain("Lost Cinema");
  expect(presses.clicks - toAccount).toBe(6);

  // A buyer's home suggests an API key only on request.
  await page.goto("/portal/");
  await page.getByRole("link", { name: "What you bought" }).waitFor();
  expect(await page.getByText("Make an API key").count()).toBe(0);
  await page.getByRole("button", { name: "First steps with the API" }).click();
  await page.getByRole("button", { name: "Make an API key" }).waitFor();
});

test("an operator suspends an abuser, whose key is then refused", async () => {
  const { key } = JSON.parse(await portal.server.run("keys", "create", "--email", "abuser@example.com", "--json"));
  const { email } = await portal.signUp({ name: "Olga Operator" });
  await portal.server.run("users", "operator", "--email", email);
  const { page, presses } = await portal.visitCounted("/");
  const callStatus = async () =>
    (await page.request.get("/v1/genres", { headers: { authorization: `Bearer ${key}` } })).status();
  expect(await callStatus()).toBe(200);

  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  const toHome = presses.clicks;

  await page.getByRole("link", { name: "Accounts", exact: true }).click();
  await page.getByRole("textbox", { name: "Search accounts" }).fill(key.slice(-4));
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "abuser@example.com" }).click();
  await page.getByRole("button", { name: "Suspend" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Scraping for resale");
  await dialog.getByRole("button", { name: "Suspend" }).click();
  await page.getByText("This account is suspended").waitFor();
  // The server caches the look-up of a key for half a second.
  await expect.poll(callStatus).toBe(403);
  expect({ toHome, toSuspended: presses.clicks - toHome }).toEqual({ toHome: 2, toSuspended: 4 });
});

/** Presses Tab until the element with this role and name has the focus. */
async function tabTo(page: Page, role: Parameters<Page["getByRole"]>[0], name: string | RegExp): Promise<void> {
  const target = page.getByRole(role, { name }).first();
  await target.waitFor();
  const hasFocus = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < 60; presses++) {
    if (await hasFocus()) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`60 presses of Tab do not lead to the ${role} ${name}.`);
}

test("a person makes the first successful call with the keyboard alone", async () => {
  const { page, presses } = await portal.visitCounted("/");
  const type = async (label: string, text: string) => {
    await tabTo(page, "textbox", label);
    await page.keyboard.type(text);
  };
  const press = async (role: "link" | "button", name: string | RegExp) => {
    await tabTo(page, role, name);
    await page.keyboard.press("Enter");
  };
  await press("link", "Get a key");
  await type("Name", "Kim Keyboard");
  await type("E-mail", "kim@example.com");
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await page.goto(await confirmation("kim@example.com"));
  await page.getByLabel("Password", { exact: true }).waitFor();
  while (!(await page.getByLabel("Password", { exact: true }).evaluate((field) => field === document.activeElement)))
    await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");

  await press("link", "Skip to the content");
  await press("button", "Make an API key");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("First");
  await press("button", "Create key");
  // The copy button has the focus.
  await page.getByRole("button", { name: "Copy API key" }).waitFor();
  await page.keyboard.press("Enter");
  await press("button", "Done");
  await press("button", "Run it here");
  await page.getByText("Your key works.").waitFor();
  expect(presses.clicks).toBe(0);
  expect(presses.keys).toBeLessThan(90);
});
