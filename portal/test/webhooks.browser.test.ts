import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { startS3Server } from "@beatmarket/storage/testing/s3-server.ts";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../server/test/harness/database/database.ts";
import { checkPage, type Developer, goTo, portalBrowser } from "./harness.ts";

const portal = portalBrowser();

interface Receiver {
  url: string;
  /** The response that the receiver sends from now on. */
  response: { status: number; body: string };
  received: { headers: IncomingHttpHeaders; body: string }[];
}

/** A webhook receiver on this machine. */
async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: "", response: { status: 200, body: "thanks" }, received: [] };
  const server = createServer(async (request, reply) => {
    receiver.received.push({ headers: request.headers, body: String(await buffer(request)) });
    reply.writeHead(receiver.response.status).end(receiver.response.body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

/** Buys a beat as the demo account. */
async function order({ context }: Developer): Promise<void> {
  const response = await context.request.post("/v1/orders", {
    headers: { authorization: `Bearer ${portal.server.demoKey}` },
    data: { beat_id: 1, payment_method: "pm_card_visa" },
  });
  expect(response.status()).toBe(201);
}

async function post({ context }: Developer, path: string, data: object = {}) {
  const headers = { origin: portal.server.origin };
  const response = await context.request.post(`/portal/api/webhooks${path}`, { data, headers });
  expect(response.ok(), await response.text()).toBe(true);
  return response.json();
}

const addEndpoint = async (developer: Developer, fields: { url: string; description?: string }): Promise<number> =>
  (await post(developer, "/endpoints", { event_types: null, ...fields })).endpoint.id;

const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

test("a new user creates an inbox and sends a test event with one click each, and sees a verified webhook", async () => {
  const { page } = await portal.signUp({ path: "/webhooks" });
  await page.getByRole("button", { name: "Create an inbox" }).click();
  await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
  await page.getByText("Nothing yet.").waitFor();
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByRole("heading", { name: "Verified, responded 200" }).waitFor();
  for (const step of ["1. Read the raw body", "4. Compare it with the header, in constant time"])
    await page.getByText(step).waitFor();
  expect(await page.getByRole("img", { name: "Passed" }).count()).toBe(6);
  await page.getByRole("link", { name: "Try it in the doctor" }).click();
  await page.getByRole("button", { name: "Examine" }).click();
  await page.getByText("The signature is right.").waitFor();
  await page.getByLabel("Body", { exact: true }).fill('{ "id": 1 }');
  await page.getByRole("button", { name: "Examine" }).click();
  await page.getByText("its body was changed").or(page.getByText("The body is not what was sent")).waitFor();
});

test("a user adds a bucket, sends a test object to it, and changes it without seeing the secret", async () => {
  const s3 = await startS3Server();
  onTestFinished(() => s3.close());
  const { page } = await portal.signUp({ path: "/webhooks" });
  await page.getByRole("button", { name: "Add endpoint" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("An S3 bucket, an object a minute").check();
  await form.getByLabel("Bucket", { exact: true }).fill(s3.bucket);
  await form.getByLabel("Prefix").fill("market");
  await form.getByLabel("Server").fill(s3.endpoint);
  await form.getByLabel("Access key ID").fill(s3.credentials.AWS_ACCESS_KEY_ID);
  await form.getByLabel("Secret access key").fill(s3.credentials.AWS_SECRET_ACCESS_KEY);
  await checkPage(page, "webhooks-bucket", () => form.getByLabel("Prefix").waitFor());
  await form.getByRole("button", { name: "Add endpoint" }).click();
  await form.getByText("The program that reads the bucket verifies each object").waitFor();
  await form.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: `s3://${s3.bucket}/market/` }).click();
  await page.getByRole("button", { name: "Write test object" }).click();
  await row(page, "Delivered").getByRole("link", { name: "beat.purchased" }).click();
  const object = page.getByRole("region", { name: /^Object of attempt/ });
  const [, key = ""] = /^s3:\/\/\w+\/(market\/.*\.jsonl\.gz)$/.exec((await object.textContent())?.trim() ?? "") ?? [];
  const event = JSON.parse(gunzipSync(await readFile(join(s3.folder, key))).toString());
  expect(event.type).toBe("beat.purchased");

  await page.getByRole("link", { name: /^Endpoint \d+$/ }).click();
  await page.getByRole("button", { name: "Change" }).click();
  expect(await form.getByLabel("Secret access key").inputValue()).toBe("");
  await form.getByLabel("Prefix").fill("other");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText(`s3://${s3.bucket}/other/`).waitFor();
});

test("a user adds an endpoint, resends a delivery, rotates the secret, disables, enables and deletes the endpoint", async () => {
  const receiver = await startReceiver();
  const demo = await portal.signInAsDemo("/webhooks");
  const { page } = demo;
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByLabel("Address").fill("https://10.0.0.1:22/#part");
  const add = page.getByRole("dialog").getByRole("button", { name: "Add endpoint" });
  await add.click();
  await page.getByRole("dialog").getByText("fragment").waitFor();
  await page.getByLabel("Address").fill(receiver.url);
  await page.getByLabel("Only these").check();
  await page.getByLabel("beat.purchased").check();
  await add.click();
  const secretShown = page.getByRole("dialog").locator("code", { hasText: "whsec_" });
  await checkPage(page, "webhooks-secret", () => secretShown.waitFor());
  const secret = await secretShown.textContent();
  expect(secret).toMatch(/^whsec_/);
  // The endpoint's page shows the secret again, so closing the dialog does not lose it.
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: receiver.url }).click();
  await page.getByText("No deliveries yet.").waitFor();
  await page.getByText("Nothing attempted yet").waitFor();

  // The browser's clock is slow. A delivery that just succeeded must not appear to be in the future.
  await page.clock.setSystemTime(Date.now() - 5_000);
  await order(demo);
  await row(page, "Delivered").waitFor();
  await page.getByText("1 of 1 delivered").waitFor();
  expect(await page.getByText("Nothing attempted yet").count()).toBe(0);
  await goTo(page, "Webhooks");
  await row(page, receiver.url).getByText("just now").waitFor();
  expect(await page.getByText("in a few seconds").count()).toBe(0);
  await page.goBack();
  await row(page, "Delivered").getByRole("link", { name: "beat.purchased" }).click();
  await page.getByText("Response 200").waitFor();
  const version = receiver.received[0]?.headers["beat-version"];
  await page.getByText(`Version ${version} of the API, as the header Beat-Version says.`).waitFor();
  await page.getByRole("region", { name: "Payload" }).getByText('"license_type": "basic"').waitFor();
  await page.getByRole("button", { name: "Show signed curl" }).click();
  await page.getByText("X-Webhook-Signature:").waitFor();
  await page.getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => page.getByText("Response 200").count()).toBe(2);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Send again");
  await page.getByText("2 attempts, 1 since it was queued again").waitFor();
  expect(receiver.received.map(({ body }) => body)).toEqual([receiver.received[0]?.body, receiver.received[0]?.body]);

  await page.getByRole("link", { name: /^Endpoint \d+$/ }).click();
  await page.getByRole("cell", { name: "2", exact: true }).waitFor();
  await page.getByText("1 of 1 delivered").waitFor();
  await page.getByRole("button", { name: "Show the secret" }).click();
  await page.getByText(secret ?? "").waitFor();
  await page.getByRole("button", { name: "Rotate" }).click();
  await checkPage(page, "webhooks-rotate", () => page.getByRole("dialog").waitFor());
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  await page.getByText("The previous secret still signs").waitFor();
  await page.getByText(secret ?? "").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect.poll(() => receiver.received.at(-1)?.headers["x-webhook-signature-previous"]).toBeDefined();

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await checkPage(page, "webhooks-disable", () => page.getByRole("dialog").waitFor());
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await page.getByText("Nothing is sent to this endpoint").waitFor();
  await order(demo);
  await row(page, "Skipped").waitFor();
  for (const place of ["Home", "API keys", "Request log"]) {
    await goTo(page, place);
    await page.getByRole("status").getByText("is disabled").waitFor();
    if (place !== "Home") continue;
    // Home shows the problem once.
    await page.getByRole("heading", { name: "What went wrong" }).waitFor();
    await expect.poll(() => page.getByRole("main").getByText(receiver.url).count()).toBe(1);
  }
  await page.getByRole("status").getByRole("link").click();
  await page.getByRole("button", { name: "Enable" }).click();
  await page.getByRole("checkbox", { name: "Send the 1 skipped deliveries, too" }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Enable" }).click();
  await page.getByRole("status").waitFor({ state: "detached" });
  await expect.poll(() => row(page, "Delivered").count()).toBe(3);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await checkPage(page, "webhooks-delete", () => page.getByRole("dialog").waitFor());
  await page.getByRole("button", { name: "Delete for good" }).click();
  await page.getByText("See a verified webhook in a minute").waitFor();
});

test("a user filters, pages and replays deliveries, and the address contains the filters", async () => {
  const receiver = await startReceiver();
  const developer = await portal.signUp();
  const { page } = developer;
  const id = await addEndpoint(developer, { url: receiver.url });
  const { query: db } = openTestDatabase(portal.server.databaseUrl);
  for (let n = 0; n < 60; n++) await post(developer, `/endpoints/${id}/test`, { type: "user.updated" });
  await expect.poll(() => receiver.received.length).toBe(60);
  await page.goto(`/portal/webhooks/${id}`);
  const rows = page.getByRole("region", { name: "Deliveries" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(51);
  await page.getByRole("button", { name: "Older" }).click();
  await expect.poll(() => rows.count()).toBe(11);
  await page.getByRole("button", { name: "Newer" }).click();
  await expect.poll(() => rows.count()).toBe(51);

  await db.updateTable("webhook_deliveries").set({ state: "failed" }).where("endpoint_id", "=", id).execute();
  await page.getByRole("combobox", { name: "State" }).selectOption("Delivered");
  await page.getByText("No delivery matches.").waitFor();
  expect(new URL(page.url()).search).toBe("?state=succeeded");
  await page.reload();
  await page.getByText("No delivery matches.").waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await row(page, "Given up").first().waitFor();

  // Resend one delivery from its row: the receiver gets the same event again.
  const [first] = receiver.received;
  const sendAgainButton = page.getByRole("button", { name: `Send again: ${first?.headers["webhook-id"]}` });
  await page.goto(`/portal/webhooks/${id}?state=failed`);
  await page.getByRole("button", { name: "Older" }).click();
  await sendAgainButton.click();
  await expect.poll(() => receiver.received.length).toBe(61);
  expect(receiver.received.at(-1)?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  await sendAgainButton.waitFor({ state: "detached" });
  await db.updateTable("webhook_deliveries").set({ state: "failed" }).where("endpoint_id", "=", id).execute();

  await page.getByRole("button", { name: "Replay" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("60 deliveries will be sent.").waitFor();
  await dialog.getByRole("radio", { name: "Skipped", exact: true }).check();
  await dialog.getByText("There is nothing to send.").waitFor();
  await dialog.getByLabel("Everything in a period").check();
  await dialog.getByText("Choose a start time.").waitFor();
  await dialog.getByRole("radio", { name: "Given up", exact: true }).check();
  await dialog.getByRole("button", { name: "Replay" }).click();
  await dialog.getByText("60 deliveries are on their way.").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect.poll(() => receiver.received.length).toBe(121);
});

describe("responses, descriptions and URLs appear as text in both widths and colour schemes", () => {
  const hostile = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>${"Ж".repeat(30)}`;
  const long = "W".repeat(600);
  let developer: Developer;
  let receiver: Receiver;
  let id: number;
  beforeEach(async () => {
    developer = await portal.signUp();
    receiver = await startReceiver();
    receiver.response = { status: 500, body: `${hostile}\u202E${long}` };
    const url = `${receiver.url}/${long}?q=%3Cimg%20src%3Dx%3E`;
    id = await addEndpoint(developer, { url, description: hostile.slice(0, 200) });
    await post(developer, `/endpoints/${id}/test`, { type: "beat.created" });
  });
  const expectText = async () => {
    expect(await developer.page.locator("img[src=x]").count()).toBe(0);
    expect(await developer.page.title()).not.toContain("owned");
  };

  test("the list of endpoints shows hostile texts as text", async () => {
    const { page } = developer;
    const { url } = await startReceiver();
    const good = await addEndpoint(developer, { url, description: "Production" });
    await post(developer, `/endpoints/${good}/test`, { type: "beat.updated" });
    await post(developer, "/inbox");
    const off = await addEndpoint(developer, { url: `${receiver.url}/off` });
    await post(developer, `/endpoints/${off}/disable`);
    await page.goto("/portal/webhooks");
    await checkPage(page, "webhooks", async () => {
      await page.getByText("1 of 1 delivered (100 %)").waitFor();
      await page.getByText("Disabled", { exact: true }).first().waitFor();
    });
    await expectText();
  });

  test("the page of an endpoint shows hostile texts as text", async () => {
    const { page } = developer;
    await page.goto(`/portal/webhooks/${id}`);
    await checkPage(page, "webhook-endpoint", async () => {
      await page.getByText("Deliveries are failing").waitFor();
      await row(page, "Retrying").waitFor();
    });
    await expectText();
  });

  test("the page of a delivery shows hostile texts as text", async () => {
    const { page } = developer;
    await page.goto(`/portal/webhooks/${id}`);
    await row(page, "Retrying").getByRole("link").click();
    await page.getByRole("button", { name: "Show signed curl" }).click();
    await checkPage(page, "webhook-delivery", () => page.getByText("X-Webhook-Signature:").waitFor());
    const response = page.getByRole("region", { name: /^Response to attempt/ }).first();
    expect(await response.textContent()).toBe(receiver.response.body);
    await expectText();
  });
});

describe("in both widths and colour schemes", () => {
  let developer: Developer;
  beforeEach(async () => {
    developer = await portal.signUp();
  });
  const openInbox = async ({ page }: Developer): Promise<void> => {
    const { id } = await post(developer, "/inbox");
    for (const type of ["beat.created", "beat.purchased"]) await post(developer, `/endpoints/${id}/test`, { type });
    await page.goto(`/portal/webhooks/${id}`);
    await page.getByRole("heading", { name: "Verified, responded 200" }).waitFor();
  };

  test("the page of webhooks without an endpoint is accessible", async () => {
    const { page } = developer;
    await page.goto("/portal/webhooks");
    await checkPage(page, "webhooks-empty", () => page.getByText("See a verified webhook in a minute").waitFor());
  });

  test("an inbox with receipts is accessible", async () => {
    const { page } = developer;
    await openInbox(developer);
    await checkPage(page, "webhook-inbox", () => row(page, "beat.created").waitFor());
  });

  test("the dialog that changes an endpoint is accessible", async () => {
    const { page } = developer;
    await openInbox(developer);
    await page.getByRole("button", { name: "Change" }).click();
    await page.getByLabel("Only these").check();
    await checkPage(page, "webhook-form", () => page.getByRole("dialog").getByLabel("beat.updated").waitFor());
  });

  test("the dialog that replays deliveries is accessible", async () => {
    const { page } = developer;
    await openInbox(developer);
    await page.getByRole("button", { name: "Replay" }).click();
    await checkPage(page, "webhook-replay", () => page.getByText("There is nothing to send.").waitFor());
  });

  test("the signature doctor is accessible", async () => {
    const { page } = developer;
    await openInbox(developer);
    await page.getByRole("link", { name: "Try it in the doctor" }).click();
    await page.getByLabel("What your code computed").fill("sha256=abc");
    await page.getByRole("button", { name: "Examine" }).click();
    await checkPage(page, "webhook-doctor", () => page.getByText("Cause found").waitFor());
  });
});

test.each(["/webhooks/999999", "/webhooks/deliveries/999999"])(
  "an unknown endpoint or delivery shows an error: %s",
  async (path) => {
    const { page } = await portal.signUp({ path });
    await page.getByRole("alert").getByText("There is no webhook").waitFor();
  },
);
