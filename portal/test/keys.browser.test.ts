import { describe, expect, test } from "vitest";
import { checkPage, type Developer, goTo, password, portalBrowser, retryWhileShed } from "./harness.ts";

const portal = portalBrowser();

/** Names of a key, an account and a program that may break a page: markup, right-to-left text, and a long word. */
const hostile = {
  markup: '<img src=x onerror="document.title=1">',
  rightToLeft: "\u200Fتصنيع الموقع",
  long: "Wolf".repeat(125),
};

const createKey = ({ context }: Developer, name: string, permissions = ["beats:read", "genres:read"]) =>
  portal.makeKey(context, { name, permissions });

async function callApi({ context }: Developer, key: string, path: string, headers: Record<string, string> = {}) {
  const response = await retryWhileShed(() =>
    context.request.get(`/v1${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } }),
  );
  return response.status();
}

/** Resolves when the log has the failed call of a path (without query), and so every earlier call. */
const failureLogged = ({ context }: Developer, path: string) =>
  expect
    .poll(async () => {
      const { errors = [] } = await (await context.request.get("/portal/api/home")).json();
      return errors.map(({ latest }: { latest: { path: string } }) => latest.path);
    })
    .toContain(`/v1${path}`);

/** A script that finds the elements with a transition or animation longer than zero. */
const moving = `[...document.querySelectorAll("*")]
  .filter((element) => [getComputedStyle(element), getComputedStyle(element, "::before"), getComputedStyle(element, "::after")]
    .some(({ transitionDuration, animationName }) => transitionDuration !== "0s" || animationName !== "none"))
  .map(({ outerHTML }) => outerHTML.slice(0, 120))`;

describe("an API key", () => {
  test("is created, copied, used, shown in gauges and log, rotated and revoked", async () => {
    const developer = await portal.signUp({ path: "/keys" });
    const { page } = developer;
    await page.getByText("No API key yet").waitFor();
    await page.getByRole("button", { name: "New API key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Website");
    expect(await dialog.getByRole("checkbox", { name: /See the orders/ }).isChecked()).toBe(true);
    expect(await dialog.getByRole("checkbox", { name: /Buy beats/ }).isChecked()).toBe(false);
    // A key that was not copied does not exist: Escape and a closed tab leave no key.
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByRole("button", { name: "Copy API key" }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Copy API key");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    const tab = await portal.openTab(developer, "/keys");
    await tab.getByText("No API key yet").waitFor();
    await tab.close();
    await page.getByRole("button", { name: "New API key" }).click();
    await dialog.getByLabel("Name", { exact: true }).fill("Website");
    await dialog.getByRole("button", { name: "Create key" }).click();
    // If the connection is lost after the server created the key, the same button completes the creation.
    let cuts = 1;
    await page.route("**/portal/api/keys", async (route) => {
      if (route.request().method() !== "POST" || cuts === 0) return route.fallback();
      cuts--;
      await route.fetch();
      await route.abort("connectionreset");
    });
    await dialog.getByRole("button", { name: "Copy API key" }).click();
    await dialog.getByText("No response").waitFor();
    await dialog.getByRole("button", { name: "Copy API key" }).click();
    await dialog.getByRole("button", { name: "Copied" }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Copied");
    const key = await page.evaluate(() => navigator.clipboard.readText());
    expect(key).toMatch(/^bm_\w{46}$/);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByText(`bm_…${key.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(key);

    expect(await callApi(developer, key, "/genres")).toBe(200);
    expect(await callApi(developer, key, "/beats?limit=1000")).toBe(400);
    // The account sees the first steps until its log has a successful call.
    await failureLogged(developer, "/beats");
    await goTo(page, "Home");
    await page.getByRole("progressbar", { name: "2 of 10 calls of the minute used" }).waitFor();
    await page.getByText("Authorization: Bearer $BEATMARKET_API_KEY").waitFor();
    await page.getByRole("link", { name: "A parameter or field was refused." }).click();
    await page.waitForURL(/\/portal\/log\?call=\d+/);
    await page.getByText("The limit parameter must be an integer from 1 to 100").first().waitFor();

    await goTo(page, "API keys");
    await page.getByRole("button", { name: "Rotate" }).click();
    await checkPage(page, "keys-rotate", () => page.getByRole("dialog").waitFor());
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    await checkPage(page, "keys-rotated", () => page.getByTestId("issued-key").waitFor());
    const rotated = await page.getByTestId("issued-key").textContent();
    expect(await callApi(developer, rotated ?? "", "/genres")).toBe(401);
    await page.getByRole("dialog").getByRole("button", { name: "Copy API key" }).click();
    await page.getByText("The key works now").waitFor();
    await expect.poll(() => callApi(developer, rotated ?? "", "/genres")).toBe(200);
    expect(await callApi(developer, key, "/genres")).toBe(200);
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();

    const old = page.getByRole("article").filter({ hasText: key.slice(-4) });
    await old.getByRole("button", { name: "Revoke" }).click();
    await page.getByText(/calls were made with it in the last seven days/).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Former keys (1)" }).waitFor();
    await expect.poll(() => callApi(developer, key, "/genres")).toBe(401);
    await page.goto("/portal/account/log");
    for (const action of ["API key revoked", "API key rotated", "API key created"])
      await page.getByText(action).first().waitFor();
  });

  test("can be pinned to an API version, like its account, and the log shows a call's version", async () => {
    const developer = await portal.signUp();
    const { page } = developer;
    const { key } = await createKey(developer, "Website");
    await page.goto("/portal/keys");
    await page.getByText("The account's first call pins it").waitFor();
    await page.getByRole("button", { name: "Version", exact: true }).click();
    const dialog = page.getByRole("dialog");
    const choice = dialog.getByLabel("Version of the API");
    expect(await choice.inputValue()).toBe("account");
    await checkPage(page, "keys-version", () => choice.waitFor());
    await choice.selectOption("2026-11-28");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("article").getByText("2026-11-28").waitFor();
    await page.getByRole("button", { name: "Change version" }).click();
    await choice.selectOption("2026-11-28");
    await dialog.getByRole("button", { name: "Save" }).click();
    await checkPage(page, "keys-pinned", () => page.getByText("The account is pinned to 2026-11-28.").waitFor());

    expect(await callApi(developer, key, "/beats?limit=1000", { "beat-version": "2026-11-20" })).toBe(400);
    await failureLogged(developer, "/beats");
    await page.goto("/portal/log");
    await page
      .getByRole("link", { name: /\/v1\/beats/ })
      .first()
      .click();
    await page.getByRole("row", { name: "Version 2026-11-20", exact: true }).waitFor();
  });

  test("can be created with the keyboard alone, from registration to the copied key", async () => {
    const page = await portal.open("/register");
    await page.getByRole("heading", { name: "Create an account" }).waitFor();
    const press = (key: string) => page.keyboard.press(key);
    /** Presses Tab until the element has the focus. */
    const tabTo = async (label: RegExp) => {
      for (let presses = 0; presses < 40; presses++) {
        await press("Tab");
        const focused = await page.evaluate(() => {
          const element = document.activeElement as HTMLInputElement | null;
          const labels = [...(element?.labels ?? [])].map((label) => label.textContent).join(" ");
          return `${element?.getAttribute("aria-label") ?? ""} ${labels} ${element?.textContent ?? ""}`.trim();
        });
        if (label.test(focused)) return;
      }
      throw new Error(`No Tab leads to ${label}.`);
    };
    const type = async (label: RegExp, text: string) => {
      await tabTo(label);
      await page.keyboard.type(text);
    };
    await type(/^Name/, "Keyboard Only");
    await type(/^E-mail/, "keyboard@example.com");
    await type(/^Password/, password);
    await press("Enter");
    const mail = await portal.server.mailTo("keyboard@example.com", /confirm#/);
    await page.goto(/https:\S+confirm#\S+/.exec(mail)?.[0] ?? "");
    await page.getByRole("heading", { name: "Confirm your registration" }).waitFor();
    await type(/^Password/, password);
    await press("Enter");
    await page.getByRole("button", { name: "Account of Keyboard Only" }).waitFor();

    await tabTo(/^API keys$/);
    await press("Enter");
    await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
    await tabTo(/^New API key$/);
    await press("Enter");
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).waitFor();
    await page.keyboard.type("By keyboard");
    await tabTo(/Buy beats in your name/);
    await press("Space");
    await tabTo(/^Create key$/);
    await press("Enter");
    await page.getByTestId("issued-key").waitFor();
    await tabTo(/^Copy API key$/);
    await press("Enter");
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^bm_\w{46}$/);
    await tabTo(/^Done$/);
    await press("Enter");
    await page.getByText("orders:write").waitFor();
  });

  test.each(["markup", "rightToLeft", "long"] as const)("shows a hostile name (%s) as text", async (kind) => {
    const name = hostile[kind];
    const keyName = name.slice(0, 100);
    const developer = await portal.signUp({ name: keyName });
    const { page } = developer;
    const { key } = await createKey(developer, keyName);
    await callApi(developer, key, "/genres?sort=x", { "user-agent": name.replaceAll(/[^\x20-\x7e]/g, "?") });
    for (const path of ["", "/keys", "/account"]) {
      await page.goto(`/portal${path}`);
      await page.getByText(keyName, { exact: false }).first().waitFor();
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        await expect.poll(overflow, { message: `${path} at ${width}` }).toBeLessThanOrEqual(0);
      }
      expect(await page.title()).toContain("Beat Marketplace");
      expect(await page.locator("img[src='x']").count()).toBe(0);
    }
    await page.goto("/portal/keys");
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByText(/1 call was made with it/).waitFor();
    expect(await page.locator("img[src='x']").count()).toBe(0);
  });
});

describe("in both widths and colour schemes", () => {
  test("home and keys of a new account are accessible", async () => {
    const { page } = await portal.signUp({ path: "" });
    await checkPage(page, "home-empty", () => page.getByText("First steps").waitFor());
    await page.goto("/portal/keys");
    await checkPage(page, "keys-empty", () => page.getByText("No API key yet").waitFor());
  });

  test("home, keys with their dialogs, requests for higher limits and the security log are accessible", async () => {
    const developer = await portal.signUp();
    const { page } = developer;
    const website = await createKey(developer, "Website");
    await createKey(developer, "Nightly import of our whole catalogue into the warehouse", ["beats:read"]);
    for (const path of ["/genres", "/beats", "/beats?limit=1000", "/orders", "/beats/999999"])
      await callApi(developer, website.key, path, { "user-agent": "shop/1.4 (node)" });
    // Wait for the log: a home page that opens before its entries shows the first steps and keeps them.
    await failureLogged(developer, "/beats/999999");
    await page.goto("/portal");
    // On a phone the operation of an error is below the reason.
    const operation = page.getByText(/^listOrders( · |$)/).filter({ visible: true });
    await checkPage(page, "home", () => operation.waitFor());
    await page.getByText("/v1/orders").waitFor();
    await page.getByText("p95", { exact: true }).waitFor();
    // The legend has a number for each colour, and a table has all numbers.
    await page.getByText("Refused 3", { exact: true }).waitFor();
    await page.getByRole("button", { name: "As a table" }).click();
    const numbers = page.getByRole("region", { name: "Calls of the last 24 hours, table" });
    await numbers.getByRole("columnheader", { name: "Failed" }).waitFor();
    expect(await numbers.getByRole("row").count()).toBe(25);
    await page.getByRole("heading", { name: "Webhooks", exact: true }).waitFor();
    await page.getByRole("link", { name: "What to do about 404" }).click();
    await page.waitForURL(/\/portal\/docs\/api\/errors#404$/);
    await page.locator('[id="404"]').waitFor();
    // With reduced motion nothing moves.
    expect(await page.evaluate(moving)).toEqual([]);
    await page.goto("/portal/keys");
    await checkPage(page, "keys", () =>
      page
        .getByText(/1 of 2 used|2 of 2 used/)
        .first()
        .waitFor(),
    );
    await page.getByRole("button", { name: "New API key" }).click();
    await checkPage(page, "keys-create", () => page.getByRole("dialog").getByLabel("Name", { exact: true }).waitFor());
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Mobile app");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await checkPage(page, "keys-issued", () => dialog.getByRole("button", { name: "Copy API key" }).waitFor());
    await dialog.getByRole("button", { name: "Copy API key" }).click();
    await checkPage(page, "keys-copied", () => dialog.getByRole("button", { name: "Copied" }).waitFor());
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("article", { name: "API key Website" }).getByRole("button", { name: "Revoke" }).click();
    await checkPage(page, "keys-revoke", () => page.getByText("shop/1.4 (node)").waitFor());
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    const card = page.getByRole("article", { name: "API key Website" });
    await card.getByRole("button", { name: "Ask for higher limits" }).click();
    await checkPage(page, "keys-limits", () => dialog.getByText(/You get a mail|you get a mail/).waitFor());
    await dialog.getByLabel("What are the calls for").fill("The shop opens on Monday: 50 calls a minute.");
    await dialog.getByRole("button", { name: "Send" }).click();
    await card.getByText("You asked for the plan plus").waitFor();
    const operator = await portal.signUpOperator({ path: "/admin/accounts" });
    const request = operator.page.getByRole("article", { name: "Request of Ada Developer" });
    await checkPage(operator.page, "admin-limits", () => request.waitFor());
    await request.getByRole("button", { name: "Refuse" }).click();
    await operator.page.getByRole("dialog").getByLabel("Reason").fill("Mirror the catalogue by /changes.");
    await operator.page.getByRole("dialog").getByRole("button", { name: "Refuse" }).click();
    await request.waitFor({ state: "detached" });
    await page.reload();
    await card.getByText("Mirror the catalogue by /changes.").waitFor();
    await card.getByRole("button", { name: "Ask for higher limits" }).click();
    await dialog.getByLabel("What are the calls for").fill("There is no database to mirror into.");
    await dialog.getByRole("button", { name: "Send" }).click();
    await card.getByText("You asked for the plan plus").waitFor();
    await operator.page.reload();
    await request.getByRole("button", { name: "Grant plus" }).click();
    await request.waitFor({ state: "detached" });
    await page.reload();
    await card.getByText("plus plan").waitFor();

    await page.goto("/portal/account/log");
    await checkPage(page, "account-log", () => page.getByText("API key created").first().waitFor());
  });
});
