import { existsSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { axeFindings } from "../../server/test/harness/accessibility.ts";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { checkPage, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

const operation = (page: Page, path: string) =>
  page.getByRole("navigation", { name: "Operations" }).getByRole("link", { name: `GET ${path}`, exact: true });
const code = (page: Page) => page.getByRole("region", { name: /^The call in/ });
const send = (page: Page) => page.getByRole("button", { name: "Send" }).click();
const response = (page: Page) => page.getByRole("region", { name: "Response" });
/** How many of 100 requests a minute are used: of the explorer's limit, then of the key's own. */
const used = async (page: Page) =>
  (await page.getByText(/ of 100 used$/).allTextContents()).map((text) => Number.parseInt(text, 10));

describe("signed out", () => {
  test("shows a call as code in six languages, and returns to the call after signing in", async () => {
    const page = await portal.open("/explorer");
    await operation(page, "/search").click();
    await page.getByLabel("q", { exact: true }).fill("night drive");
    expect(existsSync(portal.server.caFile)).toBe(true);
    for (const [language, part] of [
      ["curl", "q=night%20drive"],
      ["JavaScript", "night drive"],
      ["Python", "night drive"],
      ["PHP", "night drive"],
      ["Ruby", "night drive"],
      ["Go", "night drive"],
    ] as const) {
      await page.getByRole("tab", { name: language }).click();
      await expect.poll(() => code(page).textContent()).toContain(part);
      expect(await code(page).textContent()).toContain(portal.server.caFile);
    }
    expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
    await page.getByRole("link", { name: "Sign in", exact: true }).last().click();
    await page.getByRole("button", { name: "Try it with the demo account" }).click();
    await page.getByRole("heading", { name: "/search" }).waitFor();
    await expect.poll(() => page.getByLabel("q", { exact: true }).inputValue()).toBe("night drive");
  });

  test("shows the reference, where an operation links to its form", async () => {
    const page = await portal.open("/explorer?operation=getBeat&view=reference");
    const reference = page.frameLocator("iframe");
    await reference.getByRole("heading", { name: "Get one beat" }).first().waitFor();
    await reference
      .getByRole("link", { name: /^Try in explorer/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Send" }).waitFor();
    expect(new URL(page.url()).searchParams.get("view")).toBeNull();
  });
});

describe("signed in", () => {
  test("sends a call, shows the use of limits, links to the log and fills the form from a log entry", async () => {
    const { page } = await portal.signInAsDemo("/explorer");
    const requestHeaders: Record<string, string>[] = [];
    page.on("request", (request) => request.url().includes("/v1/") && requestHeaders.push(request.headers()));
    await page.getByLabel("limit", { exact: true }).fill("3");
    await expect.poll(() => used(page)).toEqual([0, 0]);
    await send(page);
    await response(page).getByText("The 3 beats in this response").waitFor();
    await response(page).getByText('"status": "success"').waitFor();
    await expect.poll(() => used(page)).toEqual([1, 0]);
    expect(requestHeaders).toHaveLength(1);
    expect(requestHeaders[0]).not.toHaveProperty("authorization");

    await page.getByText("Console form").click();
    await send(page);
    await response(page).getByText('"success": true').waitFor();
    await page.getByRole("link", { name: "See it in the log" }).click();
    await page
      .getByRole("link", { name: /explorer/i })
      .last()
      .waitFor();
    await page.getByRole("link", { name: /open in explorer/i }).click();
    await page.getByRole("heading", { name: "/beats" }).waitFor();
    expect(await page.getByLabel("limit", { exact: true }).inputValue()).toBe("3");
    expect(await page.getByRole("radio", { name: "Console form" }).isChecked()).toBe(true);
  });

  test("plays a preview with range requests and shows the cover", async () => {
    const { page } = await portal.signInAsDemo("/explorer?operation=getBeat");
    const media: { range: string | undefined; status: number; type: string | undefined }[] = [];
    page.on("response", async (response) => {
      if (response.url().endsWith(".wav"))
        media.push({
          range: response.request().headers().range,
          status: response.status(),
          type: response.headers()["content-type"],
        });
    });
    await send(page);
    const play = page.getByRole("button", { name: /^Play / }).first();
    await play.waitFor();
    expect(media).toEqual([]);
    await play.click();
    const position = page.getByRole("slider", { name: /^Position in/ });
    await expect.poll(() => position.getAttribute("aria-valuetext")).toMatch(/ of 0:(0[5-9]|[1-5]\d)$/);
    expect(media[0]).toEqual({ range: expect.stringMatching(/^bytes=0-/), status: 206, type: "audio/wav" });
    const cover = response(page).locator("img").first();
    await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(640);
  });

  test("shows hostile titles as text", async () => {
    const title = `<img src=x onerror="document.title='hacked'">\u202E ${"مرحبا ".repeat(60)}`;
    const database = openTestDatabase(portal.server.databaseUrl);
    await database.query.updateTable("beats").set({ title }).where("id", "=", 3).execute();
    const { page } = await portal.signInAsDemo("/explorer?operation=getBeat");
    await page.getByLabel("beat_id").fill("3");
    await send(page);
    const player = response(page).getByRole("listitem");
    await player.getByText("<img src=x onerror").waitFor();
    expect(await page.locator("img[onerror]").count()).toBe(0);
    expect(await response(page).getByRole("region", { name: "Body" }).textContent()).toContain("\\u202e");
    expect(await page.title()).toMatch(/^Explorer/);
    await page.setViewportSize({ width: 360, height: 780 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });

  test("warns before sending that live payments charge real money", async () => {
    const { page } = await portal.signInAsDemo();
    await page.route("**/portal/api/session", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('"sandbox"', '"live"') });
    });
    await page.goto("/portal/explorer?operation=createOrder");
    await page.getByText("Live payments").waitFor();
    await page.getByLabel("beat_id").fill("7");
    await send(page);
    const dialog = page.getByRole("dialog", { name: "Buy a license?" });
    await dialog.getByText("Live payments", { exact: true }).waitFor();
    await dialog.getByText("Real money is charged: this server takes live payments.").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.goto("/portal/market/beats/7");
    await page.getByText("Live payments").waitFor();
  });

  test("confirms a purchase first, buys once for each Idempotency-Key, and keeps the focus", async () => {
    const { page } = await portal.signInAsDemo("/explorer?operation=createOrder");
    const posts: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/v1/orders"))
        posts.push(request.headers()["idempotency-key"]);
    });
    const key = page.getByRole("textbox", { name: "Idempotency-Key" });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const dialog = page.getByRole("dialog", { name: "Buy a license?" });
    await page.getByText("Test payments").waitFor();
    const first = await key.inputValue();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    await page.getByLabel("beat_id").fill("7");
    expect(await key.inputValue()).toBe(first);

    await send(page);
    await dialog.getByText("No money moves: this server takes payments in its sandbox.").waitFor();
    await dialog.getByText(/Buys the basic license of “.+” by .+ for \$[\d.]+, paid with pm_card_visa\./).waitFor();
    await dialog.getByText(first).waitFor();
    await checkPage(page, "explorer-confirm", () => dialog.getByText('"beat_id": 7').waitFor());
    expect(await focused()).toBe("Cancel");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    expect(posts).toEqual([]);
    await expect.poll(focused).toBe("Send");

    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Buy a license" }).click();
    await response(page).getByText("201", { exact: true }).waitFor();
    await response(page).getByText('"status": "completed"').waitFor();
    await expect.poll(focused).toBe("Send");
    await send(page);
    await dialog.getByRole("button", { name: "Buy a license" }).click();
    await page.getByRole("tab", { name: /^Headers/ }).click();
    await page.getByRole("rowheader", { name: "idempotent-replayed" }).waitFor();
    expect(posts).toEqual([first, first]);

    await page.getByRole("button", { name: "New Idempotency-Key" }).click();
    expect(await key.inputValue()).not.toBe(first);
    await page.goto("/portal/log");
    await page.getByRole("heading", { name: "Request log" }).waitFor();
    await page.goto("/portal/explorer?operation=createOrder");
    await expect.poll(() => page.getByLabel("beat_id").inputValue()).toBe("7");
    await page.getByRole("tab", { name: "JavaScript" }).click();
    await expect.poll(() => code(page).textContent()).toContain("await client.orders.create(");
  });

  test("remembers the chosen key, and warns before the call about a missing permission", async () => {
    const { page } = await portal.signUp({ path: "/explorer" });
    await page.getByText("No API key yet").waitFor();
    await portal.makeKey(page, { name: "First", permissions: ["beats:read", "genres:read"] });
    await portal.makeKey(page, { name: "Second <b>one</b>", permissions: ["beats:read"] });
    await page.reload();
    const key = page.getByRole("combobox", { name: "API key" });
    await key.waitFor();
    const selectedKey = () => key.locator("option:checked").textContent();
    await expect.poll(selectedKey).toMatch(/^First/);
    const second = await key.getByRole("option", { name: /^Second <b>one/ }).getAttribute("value");
    await key.selectOption(second);
    await page.reload();
    await key.waitFor();
    await expect.poll(selectedKey).toMatch(/^Second/);
    await operation(page, "/genres").click();
    await page.getByText(/lacks the permission genres:read/).waitFor();
    await send(page);
    await response(page).getByText("403").first().waitFor();
  });

  test("has controls for ranges, switches, keys and lists, and shows the API's error for an invalid value", async () => {
    const { page } = await portal.signInAsDemo("/explorer");
    await expect.poll(() => page.getByRole("combobox", { name: "API key" }).inputValue()).not.toBe("");
    const curl = async () => decodeURIComponent((await code(page).textContent()) ?? "");

    await page.getByRole("textbox", { name: "bpm_min" }).fill("142");
    await page.getByRole("textbox", { name: "bpm_max" }).fill("138");
    await page.getByRole("switch", { name: "half_double" }).check({ force: true });
    await expect.poll(curl).toContain("bpm_min=142&bpm_max=142&half_double=true");

    await page.getByRole("button", { name: "Choose key on the circle of fifths" }).click();
    const wheel = page.getByRole("listbox", { name: "key: circle of fifths" });
    await wheel.getByRole("option", { name: "C 8B, C major" }).press("ArrowDown");
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await wheel.getByRole("option", { name: "C#m 12A, C# minor" }).click();
    await expect.poll(curl).toContain("key=A minor,E minor,C# minor");
    expect(await wheel.getByRole("option", { selected: true }).count()).toBe(3);
    await page.keyboard.press("Escape");
    await wheel.waitFor({ state: "hidden" });

    await page.getByRole("textbox", { name: "key_compatible" }).fill("8a");
    await page.getByRole("button", { name: "Choose key_compatible on the circle of fifths" }).click();
    await expect.poll(() => page.getByRole("option", { name: /compatible$/ }).count()).toBe(3);
    await page.keyboard.press("Escape");

    await page.getByRole("textbox", { name: "genre" }).pressSequentially("3,trap,");
    await expect.poll(curl).toContain("genre=3,trap");
    await send(page);
    await response(page).getByText("400").first().waitFor();
    await response(page)
      .getByText(/genre parameter must be a valid integer/)
      .waitFor();
  });

  test("has an address that opens the same call in another tab, with another Idempotency-Key", async () => {
    const me = await portal.signInAsDemo(
      "/explorer?operation=createOrder&beat_id=9&payment_method=&nonsense=1&pane=code",
    );
    const { page } = me;
    const read = () => Object.fromEntries(new URL(page.url()).searchParams);
    await page.getByRole("tab", { name: "Ruby" }).click();
    await page.getByText("Reference form").click();
    const parameters = {
      operation: "createOrder",
      payment_method: "",
      form: "reference",
      language: "ruby",
      pane: "code",
    };
    await expect.poll(read).toEqual({ ...parameters, beat_id: "9" });
    await page.getByLabel("beat_id").fill("12");
    await expect.poll(read).toEqual({ ...parameters, beat_id: "12" });
    const key = await page.getByRole("textbox", { name: "Idempotency-Key" }).inputValue();
    await page.reload();
    await expect.poll(() => page.getByRole("textbox", { name: "Idempotency-Key" }).inputValue()).toBe(key);

    const other = await portal.openTab(me, page.url().split("/portal")[1] ?? "");
    await expect.poll(() => code(other).textContent()).toMatch(/body: \{ beat_id: 12 \}/);
    expect(await other.getByLabel("payment_method").inputValue()).toBe("");
    expect(await other.getByRole("radio", { name: "Reference form" }).isChecked()).toBe(true);
    expect(await other.getByRole("textbox", { name: "Idempotency-Key" }).inputValue()).not.toBe(key);

    await operation(other, "/genres").click();
    await other.getByRole("heading", { name: "/genres" }).waitFor();
    await expect.poll(() => new URL(other.url()).searchParams.get("beat_id")).toBeNull();
    await other.goBack();
    await expect.poll(() => other.getByLabel("beat_id").inputValue()).toBe("12");
  });

  test("sends with Ctrl-Enter from a field, lists the call, and folds the response", async () => {
    const { page } = await portal.signInAsDemo("/explorer?operation=getBeat&beat_id=5");
    await page.getByText("0 of 100 used").first().waitFor();
    await page.getByLabel("beat_id").press("Control+Enter");
    const body = response(page).getByRole("region", { name: "Body" });
    await body.getByText('"id": 5,').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("path-beat_id");

    await body.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("status").getByText("status", { exact: true }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => body.getByText('"id": 5,').count()).toBe(0);
    expect(await body.getByRole("button", { name: /^data, \d+ field/ }).getAttribute("aria-expanded")).toBe("false");
    await page.getByRole("button", { name: "Copy path" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("data");

    await page.getByLabel("beat_id").fill("6");
    await page
      .getByRole("navigation", { name: "Last calls" })
      .getByRole("link", { name: /^GET \/beats\/5/ })
      .click();
    await expect.poll(() => page.getByLabel("beat_id").inputValue()).toBe("5");
  });

  test("ignores Ctrl-Enter while a dialog is open", async () => {
    const { page } = await portal.signInAsDemo("/explorer?operation=createOrder&beat_id=7");
    const calls: string[] = [];
    page.on("request", (request) => request.url().includes("/v1/") && calls.push(request.url()));
    const confirmation = page.getByRole("dialog", { name: "Buy a license?" });
    await expect.poll(() => page.getByRole("button", { name: "Send" }).isEnabled()).toBe(true);

    await page.keyboard.press("Control+k");
    const search = page.getByRole("dialog", { name: "Search" });
    await search.getByRole("combobox").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Escape");
    await search.waitFor({ state: "detached" });

    await page.keyboard.press("?");
    const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await shortcuts.waitFor();
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Escape");
    await shortcuts.waitFor({ state: "detached" });
    expect(await confirmation.count()).toBe(0);

    await page.keyboard.press("Control+Enter");
    await confirmation.waitFor();
    expect(calls).toEqual([]);
  });

  test("warns before sending that an order without a payment method is refused", async () => {
    const { page } = await portal.signInAsDemo("/explorer?operation=createOrder&beat_id=7&payment_method=");
    await send(page);
    const dialog = page.getByRole("dialog", { name: "Buy a license?" });
    await dialog.getByText("Buys nothing: without payment_method the API refuses it.").waitFor();
    expect(await dialog.getByText(/paid with/).count()).toBe(0);
    await dialog.getByRole("button", { name: "Buy a license" }).click();
    await response(page).getByText("400", { exact: true }).first().waitFor();
  });

  test("shows the whole pane at a height of 900 px, and scrolls to the pane on a phone", async () => {
    const { page } = await portal.signInAsDemo("/explorer");
    await page.getByText("0 of 100 used").first().waitFor();
    const isSeen = () =>
      page.getByRole("tablist", { name: "Code and response" }).evaluate((list) => {
        const { top, bottom, left, right } = (list.parentElement as Element).getBoundingClientRect();
        return top >= 52 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
      });
    const gauge = page.getByText("0 of 10,000 used").first();
    for (const width of [1440, 1100]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(isSeen).toBe(true);
      expect(await gauge.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      await page.evaluate(() => scrollTo(0, 600));
      await expect.poll(isSeen).toBe(true);
      await page.evaluate(() => scrollTo(0, 0));
    }
    await page.setViewportSize({ width: 360, height: 780 });
    await page.getByRole("button", { name: /operations$/ }).click();
    await page.getByRole("searchbox", { name: "Filter operations" }).fill("similar");
    await operation(page, "/beats/{beat_id}/similar").click();
    await page.getByRole("heading", { name: "/similar" }).waitFor();
    await send(page);
    await response(page).getByText("200", { exact: true }).waitFor();
    await expect
      .poll(() => response(page).evaluate((element) => Math.round(element.getBoundingClientRect().top)))
      .toBeLessThan(200);
  });

  test("shows the first operation for an invalid address", async () => {
    const { page } = await portal.signInAsDemo("/explorer?operation=nothing&view=3");
    await page.getByRole("heading", { name: "/beats" }).waitFor();
  });

  test("shows an error for a call of another account", async () => {
    const { page } = await portal.signUp({ path: "/explorer?call=1" });
    await page
      .getByRole("alert")
      .getByText(/no call 1 in your log/)
      .waitFor();
  });
});

describe("in both widths and colour schemes", () => {
  test("the explorer is accessible before and after a call", async () => {
    const { page } = await portal.signInAsDemo("/explorer");
    await page.getByRole("textbox", { name: "key_compatible" }).fill("Am");
    await page.getByRole("button", { name: "Choose key_compatible on the circle of fifths" }).click();
    await checkPage(page, "explorer", () =>
      page.getByText("1 of 100 used").or(page.getByText("0 of 100 used")).first().waitFor(),
    );
    await page.keyboard.press("Escape");
    await page.getByRole("textbox", { name: "key_compatible" }).clear();
    await page.getByLabel("limit", { exact: true }).fill("3");
    await send(page);
    await checkPage(page, "explorer-response", () => page.getByText("The 3 beats in this response").waitFor());
    await page.getByRole("tab", { name: /^Headers/ }).click();
    await response(page).waitFor({ state: "hidden" });
    expect(await axeFindings(page)).toEqual([]);
  });

  test("the explorer is accessible signed out", async () => {
    const page = await portal.open("/explorer?operation=createOrder");
    await checkPage(page, "explorer-signed-out", () => page.getByText("Sign in to send").waitFor());
  });

  test("the reference and its frame are accessible", async () => {
    const page = await portal.open("/explorer?view=reference&operation=createOrder");
    const frame = page.frameLocator("iframe");
    await checkPage(page, "explorer-reference", () => frame.getByRole("heading", { name: "Buy a license" }).waitFor());
    const inside = page.frames().find((frame) => frame.url().includes("/explorer/orders?scheme"));
    if (inside === undefined) throw new Error("The reference's frame is missing.");
    expect(await axeFindings(inside)).toEqual([]);
    await frame.getByRole("link", { name: /^Try in explorer ?: Buy a license/ }).click();
    await page.waitForURL("**/portal/explorer?operation=createOrder**");
  });
});
