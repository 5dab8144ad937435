import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import type { Mail } from "@beatmarket/mail/mailer.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import pino from "pino";
import { beforeEach, describe, expect, it, test } from "vitest";
import { publicUrl } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testPortal } from "../../../test/harness/portal.ts";
import { openTemplates } from "../mails/folder.ts";
import { sendDueMails } from "../mails/outbox.ts";
import { deleteOldFreeDownloads } from "./free-downloads.ts";

const clock = new FakeClock(Date.UTC(2026, 10, 26, 12));
const folder = await mkdtemp(join(tmpdir(), "free-downloads-"));
const storage = new FolderStorage(folder);
const portal = await testPortal({ clock, storage });
const { query: db, driver } = portal.database;
const texts = await openTemplates(undefined);
const producer = await portal.signUp("nightowl@example.com", "Nightowl");
const mp3 = Buffer.alloc(4_000, 7);

/** A beat on sale whose stored preview is a free download. */
async function freeBeat(columns: object = {}): Promise<number> {
  const [id = 0] = await insertBeats(portal.database, [{ title: "Midnight", producer: "Nightowl", priceCents: 2990 }]);
  await db
    .updateTable("beats")
    .set({ user_id: producer.userId, has_free_download: true, ...columns })
    .where("id", "=", id)
    .execute();
  const path = join(folder, `preview-${id}`);
  await writeFile(path, mp3);
  const { sha256, bytes } = await new StoredObjects(db, storage).store(path);
  const file = { beat_id: id, name: "preview", sha256, bytes, content_type: "audio/mpeg" };
  await db.insertInto("beat_files").values(file).execute();
  return id;
}

const beat = await freeBeat();
// Refills the limits of mails for the network and each mailbox.
beforeEach(() => clock.advance(3 * 3_600_000));

const call = (method: "GET" | "POST" | "HEAD", path: string, form?: Record<string, string>, headers = {}) =>
  portal.api.request({
    method,
    url: path,
    headers: { origin: publicUrl, "content-type": "application/x-www-form-urlencoded", ...headers },
    ...(form !== undefined && { payload: new URLSearchParams(form).toString() }),
  });
const requestDownload = (email: string, fields: Record<string, string> = {}, headers = {}) =>
  call("POST", "/free-downloads", { beat_id: String(beat), email, consent: "yes", ...fields }, headers);

async function sendMails(): Promise<Mail[]> {
  const sentMails: Mail[] = [];
  await sendDueMails({
    db,
    clock,
    texts,
    log: pino({ level: "silent" }),
    brand: { site: "Beats", logoUrl: null, footer: null, links: [] },
    mailer: { send: async (mail) => void sentMails.push(mail) },
    unsubscribeUrl: () => publicUrl,
    libraryUrl: async () => null,
  });
  return sentMails;
}

/** Requests a download. Returns the path of the link in the mail. */
async function linkFor(email: string): Promise<string> {
  await requestDownload(email);
  const text = (await sendMails()).find(({ to }) => to === email)?.text ?? "";
  return new URL(/https:\S+\/free-downloads\/\S+/.exec(text)?.[0] ?? publicUrl).pathname;
}

const listedAddresses = async () =>
  (await producer.get("/studio/free-downloads")).json().downloads.map(({ email }: { email: string }) => email);

describe("a free download for an e-mail address", () => {
  it("is offered on the beat's page with the consent; the MP3 needs a confirmed address", async () => {
    const page = await portal.api.get(`/beats/${beat}`, { headers: { accept: "text/html" } });
    expect(page.body).toContain('action="/free-downloads"');
    expect(page.body).toContain("Nightowl may write to me about their music");
    expect((await requestDownload("Fan@Example.com")).body).toContain("Look into your mailbox");
    const [mail] = await sendMails();
    expect(mail).toMatchObject({ to: "fan@example.com", subject: "Your free download of Midnight" });
    const link = new URL(/https:\S+/.exec(mail?.text ?? "")?.[0] ?? "").pathname;

    const open = await call("GET", link);
    expect(open.body).toContain("Confirm and see the file");
    expect([open.headers["cache-control"], open.headers["referrer-policy"]]).toEqual(["no-store", "no-referrer"]);
    expect((await call("GET", `${link}/file`)).statusCode).toBe(404);
    expect(await listedAddresses()).not.toContain("fan@example.com");

    expect((await call("POST", link)).headers.location).toBe(link);
    expect((await call("GET", link)).body).toContain("Download the tagged MP3 (0.0 MB)");
    const file = await call("GET", `${link}/file`);
    expect([file.statusCode, file.rawPayload.equals(mp3)]).toEqual([200, true]);
    expect(file.headers["content-disposition"]).toContain(`filename="Midnight (tagged).mp3"`);
    const part = await call("GET", `${link}/file`, undefined, { range: "bytes=10-19" });
    expect([part.statusCode, part.rawPayload.length]).toEqual([206, 10]);
    expect(await listedAddresses()).toContain("fan@example.com");
  });

  it("needs no mail for a signed-in person", async () => {
    const reader = await portal.signUp("reader@example.com");
    const response = await requestDownload("other@example.com", {}, { cookie: reader.cookie() });
    expect(response.headers.location).toMatch(/^\/free-downloads\/[\w-]{32}$/);
    expect((await call("GET", `${response.headers.location}/file`)).statusCode).toBe(200);
    expect(await listedAddresses()).toContain("reader@example.com");
    expect(await sendMails()).toEqual([]);
  });

  it("hides the address from the producer after the consent is withdrawn, but keeps the file for the reader", async () => {
    const link = await linkFor("leaver@example.com");
    await call("POST", link);
    await call("POST", `${link}/withdraw`);
    expect((await call("GET", link)).body).toContain("Your consent is withdrawn.");
    expect(await listedAddresses()).not.toContain("leaver@example.com");
    expect((await call("GET", `${link}/file`)).statusCode).toBe(200);
    // A request by another person who enters the address changes nothing.
    expect(await linkFor("leaver@example.com")).toBe(link);
    expect(await listedAddresses()).not.toContain("leaver@example.com");
    await call("POST", link);
    expect(await listedAddresses()).toContain("leaver@example.com");
  });

  it("is exported with the text of the consent", async () => {
    const link = await linkFor("csv@example.com");
    await call("POST", link);
    const fileOf = (cookie: string) => call("GET", "/portal/api/studio/free-downloads.csv", undefined, { cookie });
    const file = await fileOf(producer.cookie());
    expect(file.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(file.body.split("\r\n")[0]).toContain("email,beat_id,title,confirmed_at,consent");
    const row = file.body.split("\r\n").find((line) => line.includes("csv@example.com")) ?? "";
    expect(row).toContain(`${beat},"Midnight",2026-`);
    expect(row).toContain("non-commercial purposes only, and Nightowl may write to me");
    const stranger = await portal.signUp();
    expect((await fileOf(stranger.cookie())).body.split("\r\n")).toHaveLength(2);
  });

  it.each([
    ["no consent", { consent: "" }, 400, "Tick the box"],
    ["no address", { email: "<nobody>" }, 400, "is not an e-mail address such as name@example.com"],
    ["an unknown beat", { beat_id: "999999" }, 404, "This beat has no free download"],
    ["no beat", { beat_id: "x" }, 404, "This beat has no free download"],
  ])("is refused for %s", async (_, fields, status, sentence) => {
    const response = await requestDownload("refused@example.com", fields);
    expect([response.statusCode, response.body.includes(sentence)]).toEqual([status, true]);
    expect(await sendMails()).toEqual([]);
  });

  it("is 429 above the limits of mailbox and network, and 403 from other sites", async () => {
    const statuses = [];
    for (const label of ["", "+a", "+b", "+c", "+d", "+e"])
      statuses.push((await requestDownload(`box${label}@example.com`)).statusCode);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    for (let count = 0; count < 4; count++)
      expect((await requestDownload(`other-${count}@example.com`)).statusCode).toBe(200);
    const refusal = await requestDownload("one-more@example.com");
    expect([refusal.statusCode, refusal.headers["retry-after"]]).toEqual([429, "600"]);
    const foreign = { origin: "https://evil.example" };
    expect((await requestDownload("x@example.com", {}, foreign)).statusCode).toBe(403);
    const link = await linkFor("box@example.com");
    expect((await call("POST", link, {}, foreign)).statusCode).toBe(403);
    await sendMails();
  });

  it.each([
    ["its producer has switched it off", { has_free_download: false }],
    ["the beat was withdrawn", { is_listed: false }],
    [
      "a buyer has begun to pay for the exclusive license",
      { exclusive_state: "held" as const, exclusive_order_id: 1, exclusive_held_until: "2027-01-01" },
    ],
  ])("is refused with 404, and an earlier link has no file, after %s", async (_, columns) => {
    const beatOfTest = await freeBeat();
    await requestDownload("late@example.com", { beat_id: String(beatOfTest) });
    const [mail] = await sendMails();
    const link = new URL(/https:\S+/.exec(mail?.text ?? "")?.[0] ?? "").pathname;
    const unconfirmed = await freeBeat();
    await requestDownload("never@example.com", { beat_id: String(unconfirmed) });
    const [other] = await sendMails();
    await db.updateTable("beats").set({ has_free_download: false }).where("id", "=", unconfirmed).execute();
    const pageAfterEnd = await call("GET", new URL(/https:\S+/.exec(other?.text ?? "")?.[0] ?? "").pathname);
    expect([pageAfterEnd.statusCode, pageAfterEnd.body.includes("Confirm and see the file")]).toEqual([410, false]);
    await call("POST", link);
    await driver`alter table beats disable trigger all`;
    await db.updateTable("beats").set(columns).where("id", "=", beatOfTest).execute();
    await driver`alter table beats enable trigger all`;
    const page = await call("GET", link);
    expect([page.body.includes("no free download"), page.body.includes("Download the tagged MP3")]).toEqual([
      true,
      false,
    ]);
    await call("POST", `${link}/withdraw`);
    expect((await call("GET", link)).body).toContain("Your consent is withdrawn.");
    expect((await call("GET", `${link}/file`)).statusCode).toBe(404);
    expect((await requestDownload("later@example.com", { beat_id: String(beatOfTest) })).statusCode).toBe(404);
  });
});

test("addresses are deleted 30 days after a request without confirmation, or after the withdrawal", async () => {
  await linkFor("silent@example.com");
  const withdrawn = await linkFor("withdrawn@example.com");
  await call("POST", withdrawn);
  await call("POST", `${withdrawn}/withdraw`);
  const confirmedLink = await linkFor("kept@example.com");
  await call("POST", confirmedLink);
  const storedAddresses = async () =>
    (
      await driver`select email from free_downloads where email in ('silent@example.com', 'withdrawn@example.com', 'kept@example.com')
      order by email`
    ).map(({ email }) => email);
  clock.advance(30 * 86_400_000 - 1);
  await deleteOldFreeDownloads(db, clock.now());
  expect(await storedAddresses()).toHaveLength(3);
  clock.advance(1);
  await deleteOldFreeDownloads(db, clock.now());
  expect(await storedAddresses()).toEqual(["kept@example.com"]);
});

test("the erasure of an account deletes its addresses, as reader and as producer", async () => {
  const seller = await portal.signUp("seller@example.com");
  const beatOfTest = await freeBeat({ user_id: seller.userId });
  await requestDownload("gone@example.com");
  await requestDownload("listener@example.com", { beat_id: String(beatOfTest) });
  await sendMails();
  const reader = await portal.signUp("gone@example.com");
  const exported = (await call("POST", "/portal/api/account/export", {}, { cookie: reader.cookie() })).json();
  expect(exported.free_downloads).toMatchObject([{ beat_id: beat, email: "gone@example.com" }]);
  expect(exported.outgoing_mails).toMatchObject([{ recipient: "gone@example.com", template: "free-download" }]);
  await reader.send("POST", "/account/erasure", { email: "gone@example.com" });
  await seller.send("POST", "/account/erasure", { email: "seller@example.com" });
  expect(
    await driver`select id from free_downloads where email in ('gone@example.com', 'listener@example.com')`,
  ).toEqual([]);
  expect(await driver`select id from outgoing_mails where recipient = 'gone@example.com'`).toEqual([]);
});
