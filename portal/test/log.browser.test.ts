import { readFile } from "node:fs/promises";
import { writeLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { axeFindings, saveScreenshot } from "../../server/test/harness/accessibility.ts";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { checkPage, type Developer, portalBrowser } from "./harness.ts";

const portal = portalBrowser();
const hostileAgent = `<img src=x onerror="document.title='hacked'">`;
const hostileQuery = `q=%3Cscript%3Ealert(1)%3C/script%3E&x=${"y".repeat(500)}`;

let database: ReturnType<typeof openTestDatabase>;
const table = (page: Page) => page.getByRole("region", { name: "Calls", exact: true });
const inspector = (page: Page) => page.getByRole("region", { name: "Call", exact: true });
const histogram = (page: Page) => page.getByRole("region", { name: "Calls over time", exact: true });

/** Calls the API with the demo account's key and returns the request id. */
async function call({ context }: Developer, path: string, options: Parameters<typeof context.request.fetch>[1] = {}) {
  const response = await context.request.fetch(path, {
    ...options,
    headers: { authorization: `Bearer ${portal.server.demoKey}`, ...options.headers },
  });
  return response.headers()["x-request-id"] ?? "";
}

beforeAll(async () => {
  database = openTestDatabase(portal.server.databaseUrl);
  const { query: db } = database;
  const demo = await db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .select(["api_keys.id", "user_id"])
    .executeTakeFirstOrThrow();
  const outcomes = [
    { status: 200 },
    { status: 200 },
    { status: 304 },
    { status: 200, operation: "getBeat", path: "/v1/beats/17" },
    {
      status: 400,
      query: "genre=trap",
      errorCode: "invalid_request",
      errorMessage: "Invalid request",
      errorDetails: 'The genre parameter must be a valid integer. Given: "trap".',
      refusedBy: "parameter:genre",
    },
    { status: 429, errorCode: "rate_limit_exceeded", refusedBy: "limit:minute", operation: "search" },
    {
      status: 403,
      errorCode: "forbidden",
      refusedBy: "permission:orders:write",
      method: "POST",
      operation: "createOrder",
      path: "/v1/orders",
    },
    { status: 500, errorCode: "server_error", operation: "listOrders", path: "/v1/orders" },
  ];
  await writeLogEntries(
    database,
    Array.from({ length: 400 }, (_, index) => ({
      userId: demo.user_id,
      apiKeyId: demo.id,
      timeMs: Date.now() - 60_000 - index * index * 500,
      durationMs: 1 + ((index * 7) % 23),
      requestId: `seeded-${index}`,
      query: "genre=7&sort=popular",
      userAgent: "beatmarket-python/1.0",
      ...outcomes[(index * index + index) % outcomes.length],
    })),
  );
});

describe("the request log", () => {
  test("shows a new call without a reload, its details, and hostile texts as text", async () => {
    const me = await portal.signInAsDemo("/log");
    await table(me.page).waitFor();
    await call(me, `/v1/search?${hostileQuery}`, { headers: { "user-agent": hostileAgent } });
    const row = me.page.getByRole("link", { name: "/v1/search?q=%3Cscript" }).first();
    await row.waitFor();
    await row.click();
    await inspector(me.page).getByText(hostileAgent).waitFor();
    expect(await me.page.title()).toBe("Request log · Beat Marketplace");
  });

  test("shows the reason for a refusal, advice, and code in six languages", async () => {
    const me = await portal.signInAsDemo();
    const requestId = await call(me, `/v1/beats?genre=lofi${"%E2%80%AE%3Cb%3E".repeat(30)}`, {
      headers: { "user-agent": hostileAgent },
    });
    await me.page.goto(`/portal/log?request=${requestId}`);
    const open = inspector(me.page);
    await open.getByText("The parameter or field “genre” was refused.").waitFor();
    await open.getByText("The genre parameter must be a valid integer.").first().waitFor();
    await open.getByText("What to do:").waitFor();
    expect(await open.getByText("Bearer bm_••••••").count()).toBe(1);
    expect(await open.textContent()).not.toContain(portal.server.demoKey);
    for (const language of ["JavaScript", "Python", "PHP", "Ruby", "Go", "curl"]) {
      await open.getByRole("tab", { name: language }).click();
      const snippet = open.getByRole("region", { name: `The call in ${language}` });
      expect(await snippet.textContent()).toMatch(/lofi/);
      await open.getByRole("button", { name: `Copy as ${language}` }).click();
      expect(await me.page.evaluate(() => navigator.clipboard.readText())).toBe(await snippet.textContent());
    }
    await open.getByRole("link", { name: "Open in explorer" }).waitFor();
    await checkPage(me.page, "log-call", () => open.getByRole("heading", { name: "Response" }).waitFor());
  });

  test("keeps the body of a refused call for the code and for the explorer's form", async () => {
    const me = await portal.signUp();
    const { key } = await portal.makeKey(me.context, { name: "Reader", permissions: ["orders:read", "beats:read"] });
    const refused = await me.context.request.post("/v1/orders", {
      data: { beat_id: 17, payment_method: "pm_card_amex", license_type: "premium" },
      headers: { authorization: `Bearer ${key}`, "idempotency-key": "order-17" },
    });
    expect(refused.status()).toBe(403);
    await me.page.goto(`/portal/log?request=${refused.headers()["x-request-id"]}`);
    const open = inspector(me.page);
    await open.getByText("The key lacks the permission orders:write.").waitFor();
    await open.getByRole("tab", { name: "JavaScript" }).click();
    await open.getByText('payment_method: "pm_card_amex"').waitFor();
    await open.getByText("process.env.BEATMARKET_API_KEY").waitFor();
    await open.getByRole("link", { name: "Open in explorer" }).click();
    const field = (name: string) => me.page.getByLabel(name, { exact: true }).first().inputValue();
    await expect.poll(() => field("beat_id")).toBe("17");
    expect([await field("payment_method"), await field("license_type"), await field("Idempotency-Key")]).toEqual([
      "pm_card_amex",
      "premium",
      "order-17",
    ]);
  });

  test("shows the webhooks that a call caused", async () => {
    const me = await portal.signInAsDemo();
    await database.driver`insert into webhook_endpoints
      (user_id, url, secret, state, disabled_at, disabled_reason, created_at)
      values (${me.userId}, 'https://example.com/hook', 'sealed', 'disabled', now(), 'It was disabled for a test.', now())`;
    const requestId = await call(me, "/v1/users/profile", {
      method: "PUT",
      data: { bio: `Changed at ${Date.now()}` },
    });
    await me.page.goto(`/portal/log?request=${requestId}`);
    await inspector(me.page).getByText("user.updated").waitFor();
    await inspector(me.page).getByRole("link", { name: "https://example.com/hook" }).waitFor();
    await inspector(me.page).getByText("Skipped").waitFor();
  });

  test("keeps filters and the open entry in an address that can be shared", async () => {
    const me = await portal.signInAsDemo("/log");
    await table(me.page).waitFor();
    await me.page.getByRole("button", { name: "Filters" }).click();
    await me.page.getByRole("combobox", { name: "Status" }).selectOption("4xx refused");
    const operation = me.page.getByRole("combobox", { name: "Operation" });
    await operation.fill("CREATEORD");
    await me.page.getByRole("option", { name: "createOrder" }).waitFor();
    expect(await axeFindings(me.page)).toEqual([]);
    await operation.press("Enter");
    await me.page.getByLabel("Search calls").fill("PYTHON");
    await me.page.waitForURL(/class=4xx.*operation=createOrder.*text=PYTHON/);
    await me.page.getByText("lacks orders:write").first().waitFor();
    await expect.poll(() => table(me.page).getByText("minute limit").count()).toBe(0);
    await table(me.page).getByRole("link").first().click();
    await me.page.waitForURL(/call=\d+/);
    const address = me.page.url();
    for (const before of [/text=PYTHON$/, /operation=createOrder$/, /class=4xx$/, /\/portal\/log$/]) {
      await me.page.goBack();
      await me.page.waitForURL(before);
    }

    const other = await portal.signInAsDemo(address.slice(address.indexOf("/portal") + "/portal".length));
    await inspector(other.page).getByText("The key lacks the permission orders:write.").waitFor();
    expect(await other.page.getByLabel("Search calls").inputValue()).toBe("PYTHON");

    const stranger = await portal.signUp({ path: address.slice(address.indexOf("/portal") + "/portal".length) });
    await inspector(stranger.page)
      .getByText(/There is no call \d+ in your log/)
      .waitFor();
  });

  test("continues a search for a rare call to the oldest calls, and shows older calls on request", async () => {
    const me = await portal.signInAsDemo();
    const { id: keyId } = await database.query
      .selectFrom("api_keys")
      .select("id")
      .where("user_id", "=", me.userId)
      .executeTakeFirstOrThrow();
    const old = Date.now() - 20 * 86_400_000;
    for (let part = 0; part < 9; part++)
      await writeLogEntries(
        database,
        Array.from({ length: 10_000 }, (_, index) => ({
          userId: me.userId,
          apiKeyId: keyId,
          timeMs: old + part * 10_000 + index,
          requestId: part + index === 0 ? "the-needle" : "hay",
        })),
      );
    await me.page.goto("/portal/log?text=the-needle");
    await table(me.page).getByRole("link").waitFor();
    await me.page.getByText("No older calls.").waitFor();
    expect(await table(me.page).getByRole("link").count()).toBe(1);
    await me.page.getByLabel("Search calls").fill("no such thing");
    await me.page.getByText("No call matches these filters").waitFor();
    await me.page.getByRole("link", { name: "Show all calls" }).click();
    await expect.poll(() => table(me.page).getByRole("link").count()).toBe(50);
    await me.page.getByRole("button", { name: "Show older calls" }).click();
    await expect.poll(() => table(me.page).getByRole("link").count()).toBe(100);
  });

  test("works with the keyboard alone", async () => {
    const me = await portal.signInAsDemo("/log");
    await table(me.page).getByRole("link").first().waitFor();
    await me.page.getByRole("switch", { name: "Live" }).focus();
    await me.page.keyboard.press("Space");
    await table(me.page).focus();
    await me.page.keyboard.press("Tab");
    const focused = () => me.page.evaluate(() => document.activeElement?.textContent ?? "");
    const row = (index: number) => table(me.page).getByRole("link").nth(index);
    const openId = () => new URL(me.page.url()).searchParams.get("call");
    const [second, third, fourth] = await Promise.all([1, 2, 3].map((index) => row(index).textContent()));
    await me.page.keyboard.press("ArrowDown");
    expect(await focused()).toBe(second);
    await me.page.keyboard.press("Enter");
    await inspector(me.page).getByText("Request id").waitFor();
    const first = openId();
    await me.page.keyboard.press("ArrowDown");
    await expect.poll(openId).not.toBe(first);
    await expect.poll(focused).toBe(third);
    expect(await row(2).locator("xpath=ancestor::tr").getAttribute("aria-current")).toBe("true");
    await me.page.keyboard.press("j");
    await expect.poll(focused).toBe(fourth);
    await me.page.keyboard.press("k");
    await me.page.keyboard.press("ArrowUp");
    await expect.poll(openId).toBe(first);
    await me.page.keyboard.press("Escape");
    await inspector(me.page).waitFor({ state: "detached" });
    await expect.poll(focused).toBe(second);
    // Escape has added a history entry, and moving between calls none: one step back opens the call again.
    await me.page.goBack();
    await expect.poll(openId).toBe(first);
  });

  test("replaces the list with the open call on a small screen, and focuses the call", async () => {
    const me = await portal.signInAsDemo("/log");
    await me.page.setViewportSize({ width: 360, height: 780 });
    await table(me.page).getByRole("link").nth(1).focus();
    await me.page.keyboard.press("Enter");
    await inspector(me.page).getByText("Request id").waitFor();
    expect(await table(me.page).isVisible()).toBe(false);
    const focused = () => me.page.evaluate(() => document.activeElement?.textContent ?? "");
    await expect.poll(focused).toBe("Call");
    const address = me.page.url();
    const next = me.page.getByRole("button", { name: "Next call" });
    await next.click();
    await expect.poll(() => me.page.url()).not.toBe(address);
    expect(await next.evaluate((button) => button === document.activeElement)).toBe(true);
    await me.page.getByRole("button", { name: "Back to the log" }).click();
    await table(me.page).waitFor();
    await expect.poll(focused).toMatch(/GET|POST/);
  });

  test("shows a short path in full next to the open call, in a window of 1280 pixels", async () => {
    const me = await portal.signInAsDemo("/log?status=400");
    await me.page.setViewportSize({ width: 1280, height: 900 });
    await table(me.page).getByRole("link").first().click();
    await inspector(me.page).getByText("Request id").waitFor();
    const link = table(me.page).getByRole("link", { name: "GET /v1/beats?genre=trap" }).first();
    const cut = () => link.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await expect.poll(cut).toBeLessThanOrEqual(0);
  });

  test("narrows the time range by a brush, with pointer or keys, and Back restores the range", async () => {
    const me = await portal.signInAsDemo("/log?last=24h");
    const chart = me.page.getByRole("group", { name: "calls over time" });
    await chart.locator("svg rect").first().waitFor();
    await histogram(me.page)
      .getByText(/^Refused \d/)
      .waitFor();
    let box = { x: 0, y: 0, width: 0 };
    // The chart moves while content above it loads.
    await expect
      .poll(async () => {
        box = (await chart.locator("svg").boundingBox()) ?? box;
        await me.page.mouse.move(box.x + box.width / 2, box.y + 40);
        await me.page.mouse.move(box.x + box.width - 4, box.y + 40);
        return chart.getByText("Succeeded").isVisible();
      })
      .toBe(true);
    await me.page.mouse.move(box.x + box.width * 0.5, box.y + 40);
    await me.page.mouse.down();
    await me.page.mouse.move(box.x + box.width * 0.75, box.y + 50, { steps: 3 });
    await saveScreenshot(me.page, "log-brush", { fullPage: false });
    await me.page.mouse.up();
    await me.page.waitForURL(/from=.*to=/);
    const { searchParams } = new URL(me.page.url());
    expect(Date.parse(searchParams.get("to") ?? "") - Date.parse(searchParams.get("from") ?? "")).toBeGreaterThan(
      3_600_000,
    );
    expect(searchParams.has("last")).toBe(false);
    await me.page.goBack();
    await me.page.waitForURL(/last=24h$/);

    const start = chart.getByRole("slider", { name: /^Start/ });
    await expect.poll(() => start.getAttribute("aria-valuemax")).toBe("24");
    await start.focus();
    for (const key of ["ArrowRight", "PageUp"]) await me.page.keyboard.press(key);
    expect(await start.getAttribute("aria-valuenow")).toBe("4");
    await me.page.keyboard.press("Escape");
    expect(await start.getAttribute("aria-valuenow")).toBe("0");
    await chart.getByRole("slider", { name: /^End/ }).focus();
    await me.page.keyboard.press("Home");
    await chart.getByText("narrows to it").waitFor();
    expect(await axeFindings(me.page)).toEqual([]);
    await me.page.keyboard.press("Enter");
    await me.page.waitForURL(/from=.*to=/);
    await me.page.getByText("No call matches these filters").or(table(me.page)).waitFor();
    await histogram(me.page).getByRole("button", { name: "As a table" }).click();
    expect(await histogram(me.page).getByRole("row").count()).toBeGreaterThan(12);
  });

  test("shows times to the millisecond, in the time zone that the browser remembers", async () => {
    const me = await portal.signInAsDemo("/log");
    const time = table(me.page).locator("time").first();
    await time.waitFor();
    await me.page.getByRole("radiogroup", { name: "Time zone" }).getByText("UTC").click();
    await table(me.page).getByText("Time (UTC)").waitFor();
    const iso = (await time.getAttribute("datetime")) ?? "";
    expect(await time.textContent()).toContain(iso.slice(11, 23));
    await me.page.reload();
    await table(me.page).getByText("Time (UTC)").waitFor();
  });

  test("saves filters as views of the account, and renames and deletes views", async () => {
    const me = await portal.signInAsDemo("/log");
    const views = me.page.getByRole("button", { name: "View" });
    await views.click();
    await me.page.getByRole("menuitem", { name: "Refused" }).click();
    await me.page.waitForURL(/class=4xx$/);
    await me.page.goto("/portal/log?class=4xx&operation=createOrder");
    await views.click();
    await me.page.getByRole("menuitem", { name: "Save these filters" }).click();
    await checkPage(me.page, "log-save-view", () => me.page.getByRole("textbox", { name: "Name" }).waitFor());
    await me.page.getByRole("textbox", { name: "Name" }).fill("Refused orders");
    await me.page.getByRole("button", { name: "Save view" }).click();
    await me.page.getByRole("button", { name: "View: Refused orders" }).waitFor();
    await expect.poll(() => me.page.evaluate(() => document.activeElement?.textContent)).toBe("View: Refused orders");

    const other = await portal.signInAsDemo("/log");
    const saved = other.page.getByRole("menuitem", { name: "Refused orders" });
    // On a busy machine the views load after the first click.
    await expect
      .poll(async () => {
        if (!(await saved.isVisible())) await other.page.getByRole("button", { name: "View" }).click();
        return saved.isVisible();
      })
      .toBe(true);
    expect(await axeFindings(other.page)).toEqual([]);
    await saveScreenshot(other.page, "log-views", { fullPage: false });
    await other.page.getByRole("menuitem", { name: "Refused orders" }).click();
    await other.page.waitForURL(/class=4xx&operation=createOrder$/);
    await other.page.getByRole("button", { name: "View: Refused orders" }).click();
    await other.page.getByRole("menuitem", { name: "Manage views" }).click();
    const name = other.page.getByRole("textbox", { name: "Name of the view Refused orders" });
    await name.waitFor();
    expect(await axeFindings(other.page)).toEqual([]);
    await saveScreenshot(other.page, "log-manage-views", { fullPage: false });
    await name.fill("Orders");
    await other.page.keyboard.press("Enter");
    await other.page.getByRole("button", { name: "Delete the view Orders" }).click();
    await other.page.getByText("None. Set filters").waitFor();
    const { views: remainingViews } = await (await other.context.request.get("/portal/api/calls/views")).json();
    expect(remainingViews).toEqual([]);
  });

  test("downloads the matching calls as CSV, and reports their number", async () => {
    const me = await portal.signInAsDemo("/log?operation=createOrder&class=4xx");
    await table(me.page).waitFor();
    const [file] = await Promise.all([
      me.page.waitForEvent("download"),
      me.page.getByRole("button", { name: "CSV" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^calls-.*Z\.csv$/);
    const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
    expect(lines[0]).toMatch(/^\ufefftime,request_id,status/);
    expect(lines.slice(1).filter((line) => !line.includes(",createOrder,"))).toEqual([]);
    await me.page.getByText(`Saved ${lines.length - 1} calls.`).waitFor();
  });

  test("is accessible in both widths and colour schemes", async () => {
    const me = await portal.signInAsDemo("/log");
    await checkPage(me.page, "log", async () => {
      await table(me.page).getByRole("link").first().waitFor();
      await histogram(me.page).locator("svg rect").first().waitFor();
    });
  });

  test("has filters that fit a small screen", async () => {
    const me = await portal.signInAsDemo("/log?class=4xx&from=2026-01-01T00:00:00Z&limit=1");
    await checkPage(me.page, "log-filters", () => me.page.getByLabel("From", { exact: true }).waitFor());
  });

  test("shows the next step to a new account", async () => {
    const { page } = await portal.signUp({ path: "/log" });
    await checkPage(page, "log-empty", () => page.getByText("No calls yet").waitFor());
  });
});

describe("analytics", () => {
  test("shows charts, and every number as a table", async () => {
    const me = await portal.signInAsDemo("/analytics?span=day");
    const calls = me.page.getByRole("region", { name: "Calls", exact: true });
    await calls.waitFor();
    await checkPage(me.page, "analytics", () => me.page.getByText("Use of limits").waitFor());
    const rows = calls.getByRole("row");
    expect(await rows.count()).toBe(25);
    await calls.getByText("Table", { exact: true }).click();
    await me.page.getByRole("region", { name: "Duration" }).getByText("Table", { exact: true }).click();
    await me.page.getByRole("region", { name: "Calls, table" }).waitFor();
    for (const span of ["Hour", "Week", "Month"]) {
      await me.page.getByText(span, { exact: true }).click();
      await me.page.waitForURL(new RegExp(`span=${span.toLowerCase()}`));
    }
    await expect.poll(() => rows.count()).toBe(31);
  });

  test("shows the use of each key's limits in the windows of a minute, an hour and a day", async () => {
    const me = await portal.signInAsDemo();
    const response = me.page.waitForResponse((response) => response.url().includes("/portal/api/analytics"));
    await me.page.goto("/portal/analytics?span=day");
    const { limits } = await (await response).json();
    expect(limits.length).toBeGreaterThan(0);
    const part = me.page.getByRole("region", { name: "Use of limits" });
    const count = new Intl.NumberFormat("en");
    for (const { key, admitted, busiest, allowed } of limits) {
      const lines = ["minute", "hour", "day"].map(
        (name) => `Busiest ${name} ${count.format(busiest[name])} of ${count.format(allowed[name])}`,
      );
      const ofKey = part
        .locator("div", { hasText: `…${key.ends_with}` })
        .filter({ hasText: "Busiest day" })
        .last();
      // Ignore white space, because a grid's text has none between cells.
      const withoutWhiteSpace = (text: string | null) => text?.replaceAll(/\s+/g, "") ?? "";
      const text = withoutWhiteSpace(await ofKey.textContent());
      for (const line of [`${count.format(admitted)} admitted`, ...lines])
        expect(text).toContain(withoutWhiteSpace(line));
    }
  });

  test("shows the numbers of a bar under the pointer, and zooms into bars", async () => {
    const me = await portal.signInAsDemo("/analytics?span=day");
    const chart = me.page.getByRole("group", { name: "calls", exact: true });
    await chart.locator("svg rect").first().waitFor();
    const box = await chart.locator("svg").boundingBox();
    if (box === null) throw new Error("The chart has no box.");
    await me.page.mouse.move(box.x + box.width - 12, box.y + 80);
    await chart.getByText("2xx succeeded").waitFor();
    await saveScreenshot(me.page, "analytics-hover", { fullPage: false });
    await me.page.mouse.down();
    await me.page.mouse.move(box.x + box.width - 120, box.y + 80, { steps: 3 });
    await me.page.mouse.up();
    await me.page.waitForURL(/from=/);
    await me.page.getByRole("button", { name: "show the last day" }).waitFor();
    await chart.locator("svg rect").first().waitFor();
    await me.page.goBack();
    await me.page.waitForURL(/span=day$/);
  });

  test("compares with the previous period", async () => {
    const me = await portal.signUp();
    const entry = { userId: me.userId, apiKeyId: 4_242, durationMs: 10 };
    const hourMs = 3_600_000;
    const entriesBefore = (hours: number, count: number) =>
      Array.from({ length: count }, () => ({ ...entry, timeMs: Date.now() - hours * hourMs }));
    await writeLogEntries(database, [...entriesBefore(3, 6), ...entriesBefore(27, 4)]);
    await me.page.goto("/portal/analytics?span=day");
    await me.page.getByText("+50%").waitFor();
    await me.page.getByRole("region", { name: "Calls", exact: true }).getByText("all calls, previous period").waitFor();
  });

  test("links from an error to its calls", async () => {
    const me = await portal.signInAsDemo("/analytics?span=day");
    await me.page
      .getByRole("region", { name: "Errors, table" })
      .getByRole("row", { name: "lacks orders:write" })
      .getByRole("link", { name: "createOrder" })
      .click();
    await me.page.waitForURL(/\/portal\/log\?.*status=403/);
    await table(me.page).getByText("lacks orders:write").first().waitFor();
  });

  test("shows the next step to a new account", async () => {
    const { page } = await portal.signUp({ path: "/analytics" });
    await checkPage(page, "analytics-empty", () => page.getByText("No calls in the last day").waitFor());
  });
});
