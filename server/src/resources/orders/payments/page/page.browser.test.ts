import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFindings, saveScreenshot } from "../../../../../test/harness/accessibility.ts";
import { testApi } from "../../../../../test/harness/api.ts";
import { launchBrowser } from "../../../../../test/harness/browser.ts";
import { insertBeats } from "../../../../../test/harness/database/catalogue.ts";

const api = await testApi({ tls: { mode: "off" } });
const [beat = 0] = await insertBeats(api.database, [
  { title: "Żółta łódź · 青い高速道路", producer: "ליל כוכבים", priceCents: 2990 },
]);
let browser: Browser;
let origin = "";
beforeAll(async () => {
  browser = await launchBrowser();
  await api.app.listen({ port: 0, host: "127.0.0.1" });
  origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
});
afterAll(() => browser.close());

/** Places an order and opens the page of its next_action. */
async function openPayment(): Promise<Page> {
  const response = await api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${api.key}`, "x-forwarded-proto": "https" },
    payload: { beat_id: beat, payment_method: "pm_card_authenticationRequired", license_type: "premium" },
  });
  const page = await browser.newPage();
  await page.goto(origin + new URL(response.json().data.order.next_action.url).pathname);
  return page;
}

/**
 * Checks that axe has no findings and that the page is not wider than the window, on a light desktop and a dark phone.
 */
async function check(page: Page, name: string): Promise<void> {
  for (const [device, viewport, colorScheme] of [
    ["desk", { width: 1280, height: 800 }, "light"],
    ["phone", { width: 375, height: 700 }, "dark"],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await saveScreenshot(page, `${name}-${device}-${colorScheme}`);
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - window.innerWidth")).toBeLessThanOrEqual(0);
  }
}

test("a buyer approves a payment on its page", async () => {
  const page = await openPayment();
  await check(page, "payment-pending");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Paid. The license is yours.").waitFor();
  await check(page, "payment-paid");
});

test("a buyer declines a payment on its page, using only the keyboard", async () => {
  const page = await openPayment();
  await page.keyboard.press("Tab");
  while ((await page.locator(":focus").textContent()) !== "Decline") await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("You declined the payment.").waitFor();
  await check(page, "payment-failed");
});
