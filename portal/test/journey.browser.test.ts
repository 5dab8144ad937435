import { expect, test } from "vitest";
import { goTo, password, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

test("a new user registers, creates a key, logs a call, orders, receives the webhook, and rotates and revokes the key", async () => {
  const page = await portal.open("");
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Name").fill("New Comer");
  await page.getByLabel("E-mail").fill("newcomer@example.com");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  const mail = await portal.server.mailTo("newcomer@example.com", /confirm#/);
  await page.goto(/https:\S+\/portal\/confirm#\S+/.exec(mail)?.[0] ?? "");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Confirm and sign in" }).click();

  // The first page has the first steps.
  await page.getByRole("button", { name: "Make an API key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("First");
  await dialog.getByRole("checkbox", { name: /Buy beats/ }).check();
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("button", { name: "Copy API key" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Run it here" }).click();
  await page.getByText("Your key works.").waitFor();
  await page.getByRole("link", { name: "GET /v1/beats" }).waitFor();

  await page.getByRole("link", { name: "Explore all operations" }).click();
  await page.getByRole("button", { name: "Send" }).click();
  const response = page.getByRole("region", { name: "Response" });
  await response.getByText("200").first().waitFor();
  await response.getByRole("link", { name: /log/i }).click();
  await page.getByRole("region", { name: "Call", exact: true }).getByText("/v1/beats").first().waitFor();

  await goTo(page, "Webhooks");
  await page.getByRole("button", { name: "Create an inbox" }).click();
  await page.getByText("Nothing yet.").waitFor();

  await goTo(page, "Explorer");
  await page.goto("/portal/explorer?operation=createOrder");
  await page.getByLabel("beat_id").fill("3");
  await page.getByRole("button", { name: "Send" }).click();
  await dialog.getByRole("button", { name: "Buy a license" }).click();
  await response.getByText("201").first().waitFor();

  await goTo(page, "Webhooks");
  await page.getByRole("link", { name: /inbox/i }).first().click();
  await page.getByRole("heading", { name: "Verified, responded 200" }).waitFor();
  await page.getByText("beat.purchased").locator("visible=true").first().waitFor();

  await goTo(page, "API keys");
  // The webhooks page, which stays until the keys page has loaded, also has a Rotate button.
  await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Rotate" }).click();
  await dialog.getByRole("button", { name: "Rotate" }).click();
  await dialog.getByRole("button", { name: "Copy API key" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect.poll(() => page.getByRole("article").count()).toBe(2);
  await page.getByRole("article").last().getByRole("button", { name: "Revoke" }).click();
  await dialog.getByText(/calls were made with it/).waitFor();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Former keys (1)" }).waitFor();

  await goTo(page, "Home");
  await page.getByText("Call the API").waitFor();
  expect(await page.getByText("First steps").count()).toBe(0);
});
