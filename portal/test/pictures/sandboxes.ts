import { testServerUrl } from "@beatmarket/postgres/testing/test-database.ts";
import { test } from "vitest";
import { portalBrowser } from "../harness.ts";
import { openForPicture, saveLooks } from "./picture.ts";

// Takes the pictures docs/images/pages/sandboxes-<look>.webp. They need a server of their own: where sandboxes are on,
// every page has the switch of test mode.

const portal = portalBrowser({ SANDBOX_DATABASE_URL: await testServerUrl() });

test("the pictures of a sandbox whose clock has moved", async () => {
  const { page } = await portal.signUp({ name: "Robin Sand", email: "robin@example.com" });
  await openForPicture(page, portal.server.origin, "/portal/sandboxes");
  await page.getByRole("main").getByRole("button", { name: "Test", exact: true }).click();
  await page.getByRole("button", { name: "New sandbox" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Seed").fill("checkout-flow");
  await dialog.getByLabel("Webhook address").fill("https://receiver.example/hooks");
  await dialog.getByRole("button", { name: "Create sandbox" }).click();
  await dialog.getByText("The sandbox is ready").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  const card = page.getByRole("article", { name: "Sandbox checkout-flow" });
  await card.getByLabel("Orders a day").fill("4");
  await card.getByLabel("Receivers down, days").fill("1");
  await card.getByLabel("Orders disputed, %").fill("20");
  await card.getByRole("button", { name: "7 days" }).click();
  await card.getByText(/^From 1 January 2026/).waitFor();
  await saveLooks(page, "sandboxes");
});
