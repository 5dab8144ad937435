import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Developer, portalBrowser } from "./harness.ts";

// The pages show names and texts from users, programs and receivers as text. An injected script would set
// window.pwned. A violation of the content security policy logs a console error, which fails the test.

const portal = portalBrowser();
const marker = "hostile";
const script = `${marker}"'><img src=x onerror=window.pwned=1><svg onload=window.pwned=1><script>window.pwned=1</script>{{1}}`;

/** Expects that no injected script ran and no injected element exists. */
async function expectOnlyText(page: Page): Promise<void> {
  const injected = await page.evaluate(() => ({
    ran: "pwned" in window,
    elements: document.querySelectorAll(
      "[onerror], [onload], body script:not([src], [type='application/json']), iframe:not([src^='/']), a[href^='javascript:' i]",
    ).length,
  }));
  expect(injected, page.url()).toEqual({ ran: false, elements: 0 });
}

/** Opens a page, waits for the hostile text and checks it. */
async function check({ page }: Developer, path: string): Promise<void> {
  await page.goto(`/portal${path}`);
  await page.getByText(marker).first().waitFor();
  await expectOnlyText(page);
}

test("signed-in pages run no script from user-defined fields and from calls", async () => {
  const me = await portal.signUp({ name: script.slice(0, 100) });
  const origin = portal.server.origin;
  const send = async (method: string, path: string, data: object) => {
    const headers = { origin, "user-agent": script };
    const response = await me.context.request.fetch(`/portal/api${path}`, { method, data, headers });
    expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
    return response.json();
  };
  const createdKey = await send("POST", "/keys", {
    name: script.slice(0, 60),
    permissions: ["genres:read", "search:read"],
    expires_in_days: null,
    proposed: await send("POST", "/keys/proposals", {}),
  });
  const { endpoint } = await send("POST", "/webhooks/endpoints", {
    url: `https://receiver.invalid/${marker}?a=<script>window.pwned=1</script>`,
    description: script.slice(0, 200),
    event_types: null,
  });
  const encoded = encodeURIComponent(script);
  for (const path of [`/v1/genres/${encoded}`, `/v1/search?q=${encoded}&limit=${encoded}`, `/v1/genres?${encoded}=1`])
    await me.context.request.get(path, {
      headers: {
        authorization: `Bearer ${createdKey.key}`,
        "user-agent": script,
        origin: `https://${marker}.example`,
        "idempotency-key": script,
      },
    });
  await expect
    .poll(async () => (await (await me.context.request.get("/portal/api/calls")).json()).calls.length)
    .toBe(3);

  for (const path of ["/", "/keys", "/log", "/webhooks", `/webhooks/${endpoint.id}`, "/account", "/explorer"])
    await check(me, path);
  const { calls } = await (await me.context.request.get("/portal/api/calls")).json();
  for (const { id } of calls) await check(me, `/log?call=${id}`);
  await me.page.goto("/portal/analytics");
  await me.page.getByRole("heading", { level: 1 }).waitFor();
  await expectOnlyText(me.page);
});

test("without a session, pages run no script from their URL", async () => {
  const encoded = encodeURIComponent(script);
  const page = await portal.open("/sign-in");
  for (const path of [
    `/sign-in?next=javascript:window.pwned=1`,
    `/sign-in?next=${encoded}`,
    `/confirm#${encoded}`,
    `/reset-password#${encoded}`,
    `/${encoded}`,
    `/log?call=${encoded}&text=${encoded}`,
    `/webhooks/${encoded}`,
    `/register?email=${encoded}`,
  ]) {
    await page.goto(`/portal${path}`);
    await page.getByRole("heading").first().waitFor();
    await expectOnlyText(page);
  }
});
