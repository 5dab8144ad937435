import { testServerUrl } from "@beatmarket/postgres/testing/test-database.ts";
import { expect, test } from "vitest";
import { checkPage, goTo, portalBrowser } from "./harness.ts";

const portal = portalBrowser({ SANDBOX_DATABASE_URL: await testServerUrl() });

test("a developer creates a sandbox, advances it with buyers and faults, forks it and deletes it", async () => {
  const { page } = await portal.signUp({ path: "/sandboxes" });
  await page.getByText("Sandboxes belong to test mode").waitFor();
  expect(await page.getByRole("link", { name: "Sandboxes" }).count()).toBe(0);
  await page.getByRole("main").getByRole("button", { name: "Test", exact: true }).click();
  await checkPage(page, "sandboxes-empty", () => page.getByText("No sandbox yet").waitFor());

  await page.getByRole("button", { name: "New sandbox" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Seed").fill("checkout-flow");
  await dialog.getByLabel("Webhook address").fill("https://receiver.example/hooks");
  await checkPage(page, "sandboxes-new", () => dialog.getByRole("button", { name: "Create sandbox" }).waitFor());
  await dialog.getByRole("button", { name: "Create sandbox" }).click();
  await dialog.getByText("The sandbox is ready").waitFor();
  const key = /bm_test_[0-9a-z]{16}_\w{46}/.exec((await dialog.textContent()) ?? "")?.[0];
  expect(await dialog.textContent()).toMatch(/whsec_/);
  await dialog.getByRole("button", { name: "Done" }).click();
  const card = page.getByRole("article", { name: "Sandbox checkout-flow" });
  await card.getByText("1 January 2026 at 00:00 UTC").waitFor();
  expect(await page.content()).not.toContain(key);

  await card.getByLabel("Orders a day").fill("4");
  await card.getByLabel("Receivers down, days").fill("1");
  await card.getByLabel("Refunds that bounce, %").fill("10");
  await card.getByLabel("Orders disputed, %").fill("20");
  await card.getByLabel("Payouts that fail, %").fill("5");
  await card.getByRole("button", { name: "7 days" }).click();
  await checkPage(page, "sandboxes", () =>
    card
      .getByText(
        /From 1 January 2026 at 00:00 UTC to 8 January 2026 at 00:00 UTC: \d+ orders, \d+ refunds?, \d+ disputes?, \d+ payouts?\./,
      )
      .waitFor(),
  );
  await card.getByLabel("Days", { exact: true }).fill("3");
  await card.getByRole("button", { name: "Advance" }).click();
  await card.getByText(/ to 11 January 2026/).waitFor();

  await card.getByRole("button", { name: "Fork" }).click();
  await dialog.getByText("The sandbox is ready").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect.poll(() => card.count()).toBe(2);
  await card.first().getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => card.count()).toBe(1);
  await goTo(page, "Home");
}, 600_000);

test("a key of test mode is shown with the prefix of its mode", async () => {
  const { page } = await portal.signUp({ path: "/sandboxes" });
  await page.getByRole("main").getByRole("button", { name: "Test", exact: true }).click();
  const key = await page.evaluate(async () => {
    const post = async (path: string, body: object) => {
      const headers = { "content-type": "application/json", "x-mode": "test" };
      const response = await fetch(`/portal/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return response.json();
    };
    const proposed = await post("/keys/proposals", {});
    const fields = { name: "Drill", permissions: ["beats:read"], expires_in_days: null, proposed };
    return (await post("/keys", fields)).key as string;
  });
  await goTo(page, "API keys");
  await page.getByText(`bm_test_…${key.slice(-4)}`).waitFor();
}, 120_000);
