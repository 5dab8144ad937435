import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wav } from "@beatmarket/audio/testing/audio-files.ts";
import { beat } from "@beatmarket/audio/testing/signals.ts";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../server/test/harness/database/database.ts";
import { writeLogEntries } from "../../../server/test/harness/database/log-entries.ts";
import { type Developer, portalBrowser } from "../harness.ts";
import { openForPicture, webpOf } from "./picture.ts";
import { dayOfCalls } from "./traffic.ts";

// Takes the pictures of docs/portal.md, docs/images/pages/<page>-<look>.webp: each page that the document names.

const docs = join(import.meta.dirname, "../../../docs");
const maxBytes = 80_000;

const desk = { width: 1280, height: 800 };
const looks = [
  { look: "light", colorScheme: "light", viewport: desk },
  { look: "dark", colorScheme: "dark", viewport: desk },
  { look: "phone", colorScheme: "light", viewport: { width: 390, height: 780 } },
] as const;

const portal = portalBrowser();

/** The pages of the document: the name of the pictures, and the address with its placeholders. */
async function documentedPages(): Promise<{ name: string; address: string }[]> {
  const text = await readFile(join(docs, "portal.md"), "utf8");
  return Array.from(
    text.matchAll(/^`(\/\S*)`: [\s\S]*?images\/pages\/([\w-]+)-light\.webp/gm),
    ([, address = "", name = ""]) => ({
      name,
      address,
    }),
  );
}

/** Saves what the page shows in one look. */
async function savePage(page: Page, name: string): Promise<void> {
  for (const { look, colorScheme, viewport } of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await settled(page);
    const picture = await webpOf(page, 60);
    expect(picture.length, `${name}-${look}`).toBeLessThan(maxBytes);
    await writeFile(join(docs, "images/pages", `${name}-${look}.webp`), picture);
  }
}

/** Waits until nothing loads, moves or stands in for what will come. */
async function settled(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  // Pages that follow what happens are never idle.
  await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await expect.poll(() => page.locator(".mantine-Skeleton-root, [aria-busy=true]").count()).toBe(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(Array.from(document.images, (element) => element.decode().catch(() => undefined)));
    await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
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

/** Calls, deliveries, an upload and an import of one account, and the ids by their placeholders. */
async function prepare(me: Developer): Promise<Record<string, string>> {
  const database = openTestDatabase(portal.server.databaseUrl);
  const permissions = ["beats:read", "search:read", "orders:read"];
  const key = await portal.makeKey(me.context, { name: "Website", permissions });
  const traffic = [{ id: key.id, userAgent: "beatmarket-js/1.0 (node)" }];
  await writeLogEntries(database, dayOfCalls(me.userId, traffic, Date.now() - 120_000));
  // As the calls would have left it.
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

  return {
    uploadId: new URL(page.url()).pathname.split("/").at(-1) ?? "",
    endpointId,
    deliveryId: await firstId(me, deliveries, "deliveries"),
    beatId: await firstId(me, "/studio/beats", "beats"),
    orderId: await firstId(me, "/library/orders", "orders"),
    callId: await firstId(me, "/admin/calls", "calls"),
    runId: await firstId(me, "/admin/imports", "imports"),
    userId: String(me.userId),
  };
}

/** What the address of some pages has besides: what to show there, or what a mailed link brings. */
const shown: Record<string, string> = {
  "/portal/explorer": "?operation=listSimilarBeats&beat_id=12&limit=3",
  "/portal/log": "?last=24h",
  "/portal/docs/$page": "webhooks",
  "/portal/docs/api/$page": "beats",
  "/portal/confirm": "#token",
  "/portal/reset-password": "#token",
  "/portal/confirm-email": "#token",
  "/portal/undo-email": "#token",
  "/portal/claim": "#token",
};

/** Pages of somebody who is not signed in. */
const isPublic = (address: string): boolean =>
  !address.startsWith("/portal") || /\/(sign-in|register|confirm|join|forgot-|reset-|confirm-|undo-)/.test(address);

test("the pictures of every page", async () => {
  await mkdir(join(docs, "images/pages"), { recursive: true });
  const me = await portal.signInAsDemo();
  await portal.server.run("users", "operator", "--email", me.email);
  const ids = await prepare(me);
  const stranger = await portal.visit("/");
  // The demo's account, which everybody shares, has no password, passkeys or data of its own.
  const robin = await portal.signUp({ name: "Robin Sand", email: "robin@example.com" });
  const owner = await portal.signUp({ name: "Olu Adeyemi", email: "olu@example.com", path: "/organisation" });
  await owner.page.getByLabel("Name of the organisation").fill("Harbour Records");
  await owner.page.getByRole("button", { name: "Create the organisation" }).click();
  await owner.page.getByLabel("E-mail").fill("kim@example.com");
  await owner.page.getByRole("button", { name: "Invite", exact: true }).click();
  await owner.page.getByText("kim@example.com as viewer,").waitFor();
  const invitation = await portal.server.mailTo("kim@example.com", /\/portal\/join#/);
  const mailed: Record<string, string> = { ...shown, "/portal/join": /join(#\S+)/.exec(invitation)?.[1] ?? "" };
  const pageOf = (address: string): Page => {
    if (isPublic(address)) return stranger;
    if (address.startsWith("/portal/account")) return robin.page;
    return address === "/portal/organisation" ? owner.page : me.page;
  };
  for (const { name, address } of await documentedPages()) {
    const page = pageOf(address);
    const more = mailed[address] ?? "";
    const path = address
      .replace("$page", more)
      .replace("{id}", "12")
      // Of another seller, so that it can be bought.
      .replace("/market/beats/$beatId", "/market/beats/12")
      .replace(/\$(\w+)/, (_, id) => ids[id] ?? "");
    await openForPicture(page, portal.server.origin, path + (address.includes("$page") ? "" : more));
    await savePage(page, name);
  }
});
