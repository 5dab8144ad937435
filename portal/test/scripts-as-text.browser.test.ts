import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Developer, portalBrowser } from "./harness.ts";

// Whatever people, programs and receivers call themselves is text on every page that shows it. What a page would run of
// it sets a mark, and the browser's own word of a policy that was broken fails the test as any error does.

const portal = portalBrowser();
const marker = "hostile";
const script = `${marker}"'><img src=x onerror=window.pwned=1><svg onload=window.pwned=1><script>window.pwned=1</script>{{1}}`;

/** Nothing of what was sent has become part of the page. */
async function expectTextAlone(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: "pwned" in window,
    elements: document.querySelectorAll(
      "[onerror], [onload], script:not([src]), iframe:not([src^='/']), a[href^='javascript:' i]",
    ).length,
  }));
  expect(found, page.url()).toEqual({ ran: false, elements: 0 });
}

/** Goes to a page and waits until it shows the hostile text, `shown` times at least. */
async function look({ page }: Developer, path: string): Promise<void> {
  await page.goto(`/portal${path}`);
  await page.getByText(marker).first().waitFor();
  await expectTextAlone(page);
}

test("a script in every field that is shown, by whomever it was named, runs on no page", async () => {
  const me = await portal.signUp({ name: script.slice(0, 100) });
  const origin = portal.server.origin;
  const send = async (method: string, path: string, data: object) => {
    const headers = { origin, "user-agent": script };
    const answer = await me.context.request.fetch(`/portal/api${path}`, { method, data, headers });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
    return answer.json();
  };
  const made = await send("POST", "/keys", {
    name: script.slice(0, 60),
    permissions: ["genres:read", "search:read"],
    expires_in_days: null,
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
        authorization: `Bearer ${made.key}`,
        "user-agent": script,
        origin: `https://${marker}.example`,
        "idempotency-key": script,
      },
    });
  await expect
    .poll(async () => (await (await me.context.request.get("/portal/api/calls")).json()).calls.length)
    .toBe(3);

  for (const path of ["/", "/keys", "/log", "/webhooks", `/webhooks/${endpoint.id}`, "/account", "/explorer"])
    await look(me, path);
  const { calls } = await (await me.context.request.get("/portal/api/calls")).json();
  for (const { id } of calls) await look(me, `/log?call=${id}`);
  await me.page.goto("/portal/analytics");
  await me.page.getByRole("heading", { level: 1 }).waitFor();
  await expectTextAlone(me.page);
}, 90_000);

test("a script in an address of the portal runs on no page", async () => {
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
    await expectTextAlone(page);
  }
}, 60_000);
