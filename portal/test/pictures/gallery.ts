import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wav } from "@beatmarket/audio/testing/audio-files.ts";
import { beat } from "@beatmarket/audio/testing/signals.ts";
import { writeLogEntries } from "@beatmarket/request-log/testing/log-entries.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../server/test/harness/database/database.ts";
import { type Developer, portalBrowser } from "../harness.ts";
import { openForPicture, saveLooks } from "./picture.ts";
import { dayOfCalls } from "./traffic.ts";

// Takes the pictures of docs/portal.md (docs/images/pages/<page>-<look>.webp): each page in three looks.

const docs = join(import.meta.dirname, "../../../docs");
const portal = portalBrowser();

/** Pages of test mode, whose pictures sandboxes.ts takes. */
const ofTestMode = ["/portal/sandboxes"];

/** The pages in docs/portal.md: the name of the picture, and the address with placeholders. */
async function documentedPages(): Promise<{ name: string; address: string }[]> {
  const text = await readFile(join(docs, "portal.md"), "utf8");
  return text.split(/^### /m).flatMap((section) => {
    const address = /^`(\/\S*)`: /m.exec(section)?.[1];
    if (address === undefined) return [];
    if (ofTestMode.includes(address)) return [];
    const name = /images\/pages\/([\w-]+)-light\.webp/.exec(section)?.[1];
    if (name === undefined) throw new Error(`docs/portal.md has no picture of ${address}.`);
    return [{ name, address }];
  });
}

/** Calls the portal's API with the account's session. */
async function post<Result>({ context }: Developer, path: string, data: object = {}): Promise<Result> {
  const headers = { origin: portal.server.origin };
  const response = await context.request.post(`/portal/api${path}`, { data, headers });
  expect(response.ok(), await response.text()).toBe(true);
  return response.json() as Promise<Result>;
}

/** The first item of a list of the portal's API. */
async function first<Item>({ context }: Developer, path: string, list: string): Promise<Item> {
  const body = await (await context.request.get(`/portal/api${path}`)).json();
  const [item] = body[list] ?? [];
  if (item === undefined) throw new Error(`${path} has no ${list}.`);
  return item;
}
const firstId = async (me: Developer, path: string, list: string): Promise<string> =>
  String((await first<{ id: number | string }>(me, path, list)).id);

/** Creates an account's calls, deliveries, upload and import. Returns their ids by placeholder. */
async function prepare(me: Developer, buyer: Developer): Promise<Record<string, string>> {
  const database = openTestDatabase(portal.server.databaseUrl);
  const permissions = ["beats:read", "search:read", "orders:read"];
  const key = await portal.makeKey(me.context, { name: "Website", permissions });
  const traffic = [{ id: key.id, userAgent: "beatmarket-js/1.0 (node)" }];
  await writeLogEntries(database, dayOfCalls(me.userId, traffic, Date.now() - 120_000));
  // The log entries are inserted, so set the time of last use, which real calls would set.
  await database.driver`update api_keys set last_used_at = now() - interval '2 minutes' where id = ${key.id}`;

  await post(me, "/webhooks/inbox");
  const endpointId = await firstId(me, "/webhooks/endpoints", "endpoints");
  for (const type of ["beat.created", "beat.purchased", "user.registered"])
    await post(me, `/webhooks/endpoints/${endpointId}/test`, { type });
  const deliveries = `/webhooks/endpoints/${endpointId}/deliveries`;
  await expect.poll(async () => (await first<{ state: string }>(me, deliveries, "deliveries")).state).toBe("succeeded");

  const folder = await mkdtemp(join(tmpdir(), "beatmarket-gallery-"));
  const [file, mapping] = [join(folder, "new-beats.csv"), join(folder, "columns.json")];
  await writeFile(file, "name,by,bpm\nNight,Ana,90\n,Bo,120\nDay,Bo,\nDawn,Ana,84\nDusk,Bo,400\n");
  await writeFile(mapping, JSON.stringify({ source: "shop", fields: { title: "name", producer: "by", tempo: "bpm" } }));
  await portal.server.run("import", file, "--map", mapping);
  await rm(folder, { recursive: true });

  const { page } = me;
  await page.goto("/portal/studio");
  const chooser = page.getByLabel("Choose files", { exact: true }).and(page.locator("input"));
  await chooser.setInputFiles({ name: "Harbour_lights.wav", mimeType: "audio/wav", buffer: wav(beat(40)) });
  await page.waitForURL(/studio\/uploads\/\S+/);
  await page.getByText("Length").waitFor();

  const orderId = await openLicense(me);
  const saleId = await prepareTrade(me, buyer, orderId);

  const login = { name: "beatmarket-cli on studio-laptop", permissions };
  const { user_code: userCode } = await post<{ user_code: string }>(me, "/device/codes", login);

  return {
    uploadId: new URL(page.url()).pathname.split("/").at(-1) ?? "",
    endpointId,
    deliveryId: await firstId(me, deliveries, "deliveries"),
    beatId: await firstId(me, "/studio/beats", "beats"),
    orderId,
    saleId,
    callId: await firstId(me, "/admin/calls", "calls"),
    runId: await firstId(me, "/admin/imports", "imports"),
    userId: String(me.userId),
    userCode,
  };
}

/** Returns the id of an order with a certificate, which the license page needs. */
async function openLicense({ context }: Developer): Promise<string> {
  const { orders } = await (await context.request.get("/portal/api/library/orders")).json();
  const { id } = orders.find(
    (order: { status: string; is_refunded: boolean }) => order.status === "completed" && !order.is_refunded,
  );
  // The first request for the files renders them and issues the license.
  await expect
    .poll(async () => {
      await context.request.get(`/portal/api/library/orders/${id}/files`);
      return (await context.request.get(`/portal/api/library/orders/${id}/license`)).status();
    })
    .toBe(200);
  return String(id);
}

/**
 * Buys a beat of `me` for the buyer. Creates a usage report, messages, a refund request, a discount, and a report about
 * a beat. Returns the id of the buyer's order.
 */
async function prepareTrade(me: Developer, buyer: Developer, orderId: string): Promise<string> {
  const license = `/library/orders/${orderId}/license`;
  const { ordered_month: period } = await (await me.context.request.get(`/portal/api${license}`)).json();
  await post(me, `${license}/usage`, { use: "streams", quantity: 41_870, period, source: "Soundstream" });

  const { key } = await portal.makeKey(buyer.context, { name: "Orders", permissions: ["orders:write"] });
  const ordered = await buyer.context.request.post("/v1/orders", {
    data: {
      beat_id: Number(await firstId(me, "/studio/beats", "beats")),
      license_type: "premium",
      payment_method: "pm_card_visa",
    },
    headers: { authorization: `Bearer ${key}` },
  });
  const saleId: string = String((await ordered.json()).data.order.id);
  await post(buyer, `/library/orders/${saleId}/messages`, { text: "Could you send me the stems, too?" });
  await post(buyer, `/library/orders/${saleId}/refund-requests`, { reason: "mistake", details: "I need a WAV." });
  await post(me, `/sales/orders/${saleId}/messages`, { text: "The WAV is in your library: look there first." });
  await post(me, "/studio/discounts", {
    name: "Three for two",
    kind: "pack",
    pack_size: 3,
    pack_paid: 2,
    code: "three",
  });

  const stranger = await portal.visit("/beats/12", { javaScriptEnabled: false });
  await stranger.getByRole("link", { name: "Report this beat" }).click();
  await stranger.getByLabel("What is wrong with it").selectOption("sample");
  await stranger.getByLabel("What happened").fill("The hook is from my record, at 0:42.");
  await stranger.getByLabel("Your e-mail").fill("rita@example.com");
  await stranger.getByRole("button", { name: "Send the report" }).click();
  await stranger.getByRole("heading", { name: "Thank you" }).waitFor();
  return saleId;
}

/** By address: the guide for its `$page`, or what is appended: search parameters, or the token of a mailed link. */
const placeholders: Record<string, string> = {
  "/portal/explorer": "?operation=listSimilarBeats&beat_id=12&limit=3",
  "/portal/log": "?last=24h",
  "/portal/docs/$page": "webhooks",
  "/portal/docs/api/$page": "beats",
  "/portal/docs/clients/$page": "javascript",
  "/portal/confirm": "#token",
  "/portal/reset-password": "#token",
  "/portal/confirm-email": "#token",
  "/portal/undo-email": "#token",
  "/portal/claim": "#token",
};

/** Whether a page is shown signed out. */
const isPublic = (address: string): boolean =>
  !address.startsWith("/portal") || /\/(sign-in|register|confirm|join|forgot-|reset-|confirm-|undo-)/.test(address);

test("the pictures of every page", async () => {
  const me = await portal.signInAsDemo();
  await portal.server.run("users", "operator", "--email", me.email);
  const stranger = await portal.visit("/");
  // The shared demo account has no password, passkeys or private data, so use another account.
  const robin = await portal.signUp({ name: "Robin Sand", email: "robin@example.com" });
  const ids = await prepare(me, robin);
  const owner = await portal.signUp({ name: "Olu Adeyemi", email: "olu@example.com", path: "/organisation" });
  await owner.page.getByLabel("Name of the organisation").fill("Harbour Records");
  await owner.page.getByRole("button", { name: "Create the organisation" }).click();
  await owner.page.getByLabel("E-mail").fill("kim@example.com");
  await owner.page.getByRole("button", { name: "Invite", exact: true }).click();
  await owner.page.getByText("kim@example.com as viewer,").waitFor();
  const invitation = await portal.server.mailTo("kim@example.com", /\/portal\/join#/);
  const endings: Record<string, string> = {
    ...placeholders,
    "/portal/join": /join(#\S+)/.exec(invitation)?.[1] ?? "",
    "/portal/device": `?code=${ids.userCode}`,
  };
  const pageOf = (address: string): Page => {
    if (isPublic(address)) return stranger;
    if (address.startsWith("/portal/account") || address.endsWith("/contact")) return robin.page;
    return address === "/portal/organisation" ? owner.page : me.page;
  };
  for (const { name, address } of await documentedPages()) {
    const page = pageOf(address);
    const ending = endings[address] ?? "";
    const path = address
      .replace("$page", ending)
      .replace("{id}", "12")
      // The beat is another seller's, so the account can buy it.
      .replace("/market/beats/$beatId", "/market/beats/12")
      .replace("$orderId/contact", "$saleId/contact")
      .replace("/sales/orders/$orderId", "/sales/orders/$saleId")
      .replace(/\$(\w+)/, (_, id) => ids[id] ?? "");
    await openForPicture(page, portal.server.origin, path + (address.includes("$page") ? "" : ending));
    await saveLooks(page, name);
  }
});
