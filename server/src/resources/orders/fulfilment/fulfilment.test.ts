import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { readClaims } from "@beatmarket/signing-keys/jws.ts";
import { FolderStorage } from "@beatmarket/storage/folder-storage.ts";
import { objectKey } from "@beatmarket/storage/storage.ts";
import { StoredObjects } from "@beatmarket/storage/stored-objects.ts";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";
import {
  attachRecording,
  insertLicense,
  insertRenditions,
  refundInFull,
  sha256Of,
  storeBytes,
} from "../../../../test/harness/database/order-files.ts";
import { renditionsJob } from "../../jobs/media-jobs.ts";
import { filenameOf } from "./fulfilment.ts";
import { notifyOfRenditions } from "./renditions/renditions.ts";

const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-delivery-"));
afterAll(() => rm(dataDir, { recursive: true }));
const clock = new FakeClock(Date.UTC(2026, 10, 22, 12));
const api = await testApi({ clock, dataDir });
const { query: db, driver } = api.database;
const objects = new StoredObjects(db, new FolderStorage(join(dataDir, "objects")));

let beat = 0;
beforeEach(async () => {
  [beat = 0] = await insertBeats(api.database, [{ title: "Midnight", producer: "Nightowl", priceCents: 2990 }]);
});

const buy = async (license_type = "basic", fields: object = {}): Promise<number> => {
  const response = await api.request({
    method: "POST",
    url: "/v1/orders",
    headers: { authorization: `Bearer ${api.key}` },
    payload: { beat_id: beat, payment_method: "pm_card_visa", license_type, ...fields },
  });
  return response.json().data.order.id;
};

/** Adds files to the beat. The content of each file contains its kind and `name`. */
const record = async (name: string, { withStems = false } = {}) => {
  const storeFile = async (kind: string) => storeBytes(objects, `${kind} of ${name}`);
  const [master, mp3, wav] = [await storeFile("master"), await storeFile("mp3"), await storeFile("wav")];
  await attachRecording(db, beat, { master, ...(withStems && { stems: await storeFile("stems") }) });
  await insertRenditions(db, master, { mp3, wav });
  return { master, mp3, wav };
};
/** Adds a lossy recording with stems and a WAV. An earlier release made such WAVs. */
const recordLossy = async (name: string, contentType: string) => {
  const storeFile = async (kind: string) => storeBytes(objects, `${kind} of ${name}`);
  const [master, mp3, wav, lossyMp3] = [
    await storeFile("master"),
    await storeFile("mp3"),
    await storeFile("wav"),
    await storeFile("lossy mp3"),
  ];
  await attachRecording(db, beat, { master, contentType, stems: await storeFile("stems") });
  await insertRenditions(db, master, { mp3, wav, lossyMp3 });
  return { master, lossyMp3 };
};
const certify = async (orderId: number) =>
  insertLicense(db, orderId, await storeBytes(objects, `certificate of ${orderId}`));

const filesOf = (orderId: number, options: object = {}) => api.get(`/v1/orders/${orderId}/files`, options);
const linkTo = async (orderId: number, kind = "mp3"): Promise<string> => {
  const { files } = (await filesOf(orderId)).json().data;
  const { url } = files.find((file: { kind: string }) => file.kind === kind);
  return url.replace("https://localhost:8443", "");
};
const download = (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  api.request({ method, url, headers });

describe("the files of an order", () => {
  it.each([
    ["basic", ["mp3", "license"]],
    ["premium", ["mp3", "wav", "license"]],
    ["unlimited", ["mp3", "wav", "stems", "license"]],
    ["exclusive", ["mp3", "wav", "stems", "license"]],
  ])("of a %s license are %j", async (type, kinds) => {
    await record(`a beat sold as ${type}`, { withStems: true });
    const order = await buy(type);
    await certify(order);
    const { files, license } = (await filesOf(order)).json().data;
    expect(files.map(({ kind }: { kind: string }) => kind)).toEqual(kinds);
    expect(license).toMatchObject({ type, status: "valid" });
    for (const { kind, url, bytes, sha256, filename, expires_at } of files) {
      const { rawPayload, headers } = await download(url.replace("https://localhost:8443", ""));
      expect([rawPayload.length, sha256Of(rawPayload)]).toEqual([bytes, sha256]);
      expect(headers["content-disposition"]).toContain(
        encodeURIComponent(filename).replaceAll(/[()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
      );
      expect(expires_at).toBe("2026-11-22T12:15:00Z");
      expect(filename).toMatch(kind === "stems" ? / stems\.zip$/ : kind === "license" ? / license\.pdf$/ : `.${kind}`);
    }
  });

  it("stay the files of the time of purchase when the beat, its producer or the buyer changes", async () => {
    await record("the first");
    const order = await buy("premium");
    await certify(order);
    const before = (await filesOf(order)).json().data.files;
    await record("the second", { withStems: true });
    await driver`update beats set title = 'Noon', is_listed = false where id = ${beat}`;
    await driver`update users set display_name = 'Another' where id = (select user_id from beats where id = ${beat})`;
    await driver`update users set display_name = 'Renamed' where id = ${api.userId}`;
    const after = (await filesOf(order)).json().data.files;
    expect(after).toEqual(before);
    expect((await download(await linkTo(order))).body).toBe("mp3 of the first");
    const [frozen] = await driver`select buyer_name, terms_version, stems_sha256 from orders where id = ${order}`;
    expect(frozen).toMatchObject({ stems_sha256: null });
    expect(frozen?.buyer_name).not.toBe("Renamed");
    expect(frozen?.terms_version).not.toBeNull();
  });

  it("come with the status expired after the term of the license", async () => {
    await record("an old one");
    const order = await buy("basic");
    await certify(order);
    await driver`update orders set license_limits = '{"years": 1}' where id = ${order}`;
    const yearMs = 366 * 86_400_000;
    clock.advance(yearMs);
    const { license } = (await filesOf(order)).json().data;
    clock.advance(-yearMs);
    expect(license.status).toBe("expired");
  });

  it("come with a certificate that has the terms of the sale and the hashes of the files", async () => {
    await driver`
      insert into license_terms (version, license_type, title, text, recorded_at)
      values ('2026-01', 'premium', 'Earlier license', ${"# Earlier license\n\nSing it on Sundays."}, '2026-01-01')`;
    await record("certified");
    const order = await buy("premium");
    await driver`update orders set terms_version = '2026-01' where id = ${order}`;
    const { files, license } = (await filesOf(order)).json().data;
    expect(license).toMatchObject({ type: "premium", terms_version: "2026-01", status: "valid" });
    expect(readClaims(license.jws)).toMatchObject({
      jti: license.id,
      order_id: order,
      terms: { version: "2026-01", sha256: sha256Of("# Earlier license\n\nSing it on Sundays.") },
      files: files.slice(0, 2).map(({ url: _, expires_at: __, ...file }: Record<string, unknown>) => file),
    });
    const { rawPayload } = await download(await linkTo(order, "license"));
    expect([rawPayload.subarray(0, 5).toString(), sha256Of(rawPayload)]).toEqual(["%PDF-", files[2].sha256]);
    const page = await api.get(new URL(license.url).pathname, { key: null });
    expect(page.body).toContain("Sing it on Sundays.");
  });

  it.each([
    ["basic", ["mp3", "license"]],
    ["premium", ["mp3", "license"]],
    ["unlimited", ["mp3", "stems", "license"]],
    ["exclusive", ["mp3", "stems", "license"]],
  ])("of a %s license of a lossy recording are %j, with the MP3 unchanged", async (type, kinds) => {
    for (const contentType of type === "premium" ? ["audio/mpeg", "audio/ogg", "audio/mp4"] : ["audio/mpeg"]) {
      const files = await recordLossy(`${contentType} sold as ${type}`, contentType);
      const order = await buy(type);
      await certify(order);
      const { files: listed } = (await filesOf(order)).json().data;
      expect(listed.map(({ kind }: { kind: string }) => kind)).toEqual(kinds);
      expect(listed[0].sha256).toBe(files.lossyMp3.sha256);
      expect((await download(await linkTo(order))).body).toBe(`lossy mp3 of ${contentType} sold as ${type}`);
    }
  });

  it("include a WAV for earlier orders of a lossy recording, because these orders promised a WAV", async () => {
    await recordLossy("promised", "audio/mpeg");
    const order = await buy("premium");
    await driver`update orders set is_master_lossy = default where id = ${order}`;
    await certify(order);
    const { files } = (await filesOf(order)).json().data;
    expect(files.map(({ kind }: { kind: string }) => kind)).toEqual(["mp3", "wav", "license"]);
    expect((await download(await linkTo(order))).body).toBe("mp3 of promised");
    expect((await download(await linkTo(order, "wav"))).body).toBe("wav of promised");
  });

  it("are only the license for a beat without a recording", async () => {
    const order = await buy("unlimited");
    await certify(order);
    expect((await filesOf(order)).json().data.files).toMatchObject([{ kind: "license" }]);
  });

  it("answer 404 for another account's order, and 409 for an order that is not completed", async () => {
    await record("private");
    const order = await buy();
    const stranger = await api.makeKey();
    expect((await filesOf(order, { key: stranger })).statusCode).toBe(404);
    const pending = await buy("basic", { payment_method: "pm_card_authenticationRequired" });
    const refusal = await filesOf(pending);
    expect([refusal.statusCode, refusal.json().error.details]).toEqual([409, expect.stringContaining("pending")]);
  });

  it("are revoked by a full refund, including issued links, but not by a partial refund", async () => {
    await record("refunded");
    const order = await buy();
    const license = await certify(order);
    const url = await linkTo(order);
    await driver`update orders set refunded_cents = 1, refunded_at = now() where id = ${order}`;
    expect((await download(url)).statusCode).toBe(200);
    await refundInFull(db, order);
    expect((await filesOf(order)).json().data).toMatchObject({
      files: [],
      license: { id: license, status: "refunded" },
    });
    const answer = await download(url);
    expect([answer.statusCode, answer.json().error.details]).toEqual([410, expect.stringContaining("refunded")]);
  });
});

describe("files that do not exist yet", () => {
  const buyUnrendered = async () => {
    const master = await storeBytes(objects, `a new master of ${beat}`);
    await attachRecording(db, beat, { master });
    const order = await buy();
    await certify(order);
    return { master, order };
  };
  const jobOf = (sha256: string) =>
    driver`select priority from media_jobs where kind = ${renditionsJob} and subject = ${sha256}`;
  const untilQueued = async (sha256: string) => {
    while ((await jobOf(sha256)).length === 0) await new Promise(setImmediate);
  };

  it("have the highest priority, and the request waits for them", async () => {
    const { master, order } = await buyUnrendered();
    const listing = filesOf(order);
    await untilQueued(master.sha256);
    expect(await jobOf(master.sha256)).toEqual([{ priority: -1 }]);
    const [mp3, wav] = [await storeBytes(objects, "made mp3"), await storeBytes(objects, "made wav")];
    await insertRenditions(db, master, { mp3, wav });
    await notifyOfRenditions(db, { masterSha256: master.sha256, failure: null });
    expect((await listing).json().data.files).toMatchObject([{ kind: "mp3", ...mp3 }, { kind: "license" }]);
  });

  it("answer 503 with Retry-After and the reason if the attempt fails", async () => {
    const { master, order } = await buyUnrendered();
    const listing = filesOf(order);
    await untilQueued(master.sha256);
    await notifyOfRenditions(db, { masterSha256: "0".repeat(64), failure: "Another one." });
    await notifyOfRenditions(db, { masterSha256: master.sha256, failure: "The file took too long to read." });
    const { statusCode, headers, body } = await listing;
    expect([statusCode, headers["retry-after"]]).toEqual([503, "5"]);
    expect(body).toContain("took too long");
    expect(body).not.toContain("Another one");
  });
});

describe("a link", () => {
  const buyWithFiles = async (name: string) => {
    await record(name);
    const order = await buy();
    await certify(order);
    return { order, url: await linkTo(order) };
  };
  const countOf = (order: number) => driver`select kind from order_downloads where order_id = ${order}`;

  it("needs no key, and its headers make it private and exclude it from search engines", async () => {
    const { url } = await buyWithFiles("headers");
    const { statusCode, headers } = await download(url);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "cache-control": "private",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
      "accept-ranges": "bytes",
      "content-type": "audio/mpeg",
      etag: `"${sha256Of("mp3 of headers")}"`,
    });
    expect(headers["content-disposition"]).toBe(
      `attachment; filename="Nightowl - Midnight (basic).mp3"; filename*=UTF-8''Nightowl%20-%20Midnight%20%28basic%29.mp3`,
    );
  });

  it("sends ranges, and resumes with a new link only if the file is the same", async () => {
    const { order, url } = await buyWithFiles("parts");
    const first = await download(url, { range: "bytes=0-2" });
    expect([first.statusCode, first.body, first.headers["content-range"]]).toEqual([206, "mp3", "bytes 0-2/12"]);
    clock.advance(60_000);
    const other = await linkTo(order);
    expect(other).not.toBe(url);
    const continuation = await download(other, { range: "bytes=3-", "if-range": String(first.headers.etag) });
    expect([continuation.statusCode, continuation.body]).toEqual([206, " of parts"]);
    expect((await download(other, { range: "bytes=3-", "if-range": '"another"' })).statusCode).toBe(200);
    expect((await download(other, { range: "bytes=12-" })).statusCode).toBe(416);
    expect((await download(other, { "if-none-match": String(first.headers.etag) })).statusCode).toBe(304);
  });

  it("counts a download of several requests once, and does not count HEAD", async () => {
    const { order, url } = await buyWithFiles("counted");
    const head = await download(url, {}, "HEAD");
    expect([head.statusCode, head.headers["content-length"], head.body]).toEqual([200, "14", ""]);
    expect(await countOf(order)).toEqual([]);
    await Promise.all([download(url, { range: "bytes=0-3" }), download(url, { range: "bytes=4-" }), download(url)]);
    expect(await countOf(order)).toEqual([{ kind: "mp3" }]);
  });

  it("answers 503 for a lost file and does not count it, and breaks off the response for a damaged file", async () => {
    const { order, url } = await buyWithFiles("a damaged folder");
    const path = join(dataDir, "objects", objectKey(sha256Of("mp3 of a damaged folder")));
    await rm(path);
    const response = await download(url);
    expect([response.statusCode, response.json().error.details]).toEqual([
      503,
      expect.stringContaining(`order ${order}`),
    ]);
    expect(response.headers["retry-after"]).toBeDefined();
    expect((await download(url, { range: "bytes=99-" })).statusCode).toBe(416);
    expect(await countOf(order)).toEqual([]);
    for (const damaged of ["mp3 of a damaged boat!!", "mp3", ""]) {
      await writeFile(path, damaged);
      await expect(download(url), damaged).rejects.toThrow();
    }
  });

  it("answers 410 after 15 minutes, with the call that returns a new link", async () => {
    const { order, url } = await buyWithFiles("expired");
    clock.advance(15 * 60_000 - 1);
    expect((await download(url)).statusCode).toBe(200);
    clock.advance(1);
    for (const method of ["GET", "HEAD"] as const) expect((await download(url, {}, method)).statusCode).toBe(410);
    const { error } = (await download(url)).json();
    expect(error.details).toContain(`GET /v1/orders/${order}/files`);
  });

  it("answers 404 after any change of the link, without a signature in the error", async () => {
    const { order, url } = await buyWithFiles("forged");
    const another = await buy();
    const signature = new URL(url, "https://x").searchParams.get("signature") ?? "";
    const forged = [
      url.replace(`/${order}/`, `/${another}/`),
      url.replace("/mp3?", "/wav?"),
      url.replace("/mp3?", "/license?"),
      url.replace(/expires=\d/, "expires=9"),
      url.replace(
        signature,
        signature.replace(/^./, (first) => (first === "A" ? "B" : "A")),
      ),
      url.replace(/&signature=.*/, ""),
      // Other texts of the same number and the same bytes, and values that another parser might accept.
      url.replace("expires=", "expires=0"),
      url.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
      url.replace("&signature", "&expires=9999999999&signature"),
      `${url}&signature=A`,
      `/downloads/${order}/mp3`,
      `/downloads/${order}/master${url.slice(url.indexOf("?"))}`,
    ];
    for (const each of forged) {
      const { statusCode, body } = await download(each);
      expect([each, statusCode]).toEqual([each, 404]);
      expect(body).not.toContain(signature.slice(0, 20));
    }
  });
});

describe("a filename", () => {
  const wavName = (producer_name: string, title: string) =>
    filenameOf({ producer_name, title, license_type: "premium" }, "wav");

  it.each([
    ["水曜日の庭", "青い高速道路", "水曜日の庭 - 青い高速道路 (premium).wav"],
    ["AC/DC", 'What? "Now": <1|2>*\\', "AC_DC - What_ _Now__ _1_2___ (premium).wav"],
    ["..", "-rf", "rf (premium).wav"],
    ["A\u202egnp.", "b\u0000c\nd", "Agnp. - bcd (premium).wav"],
    ["", "", "Beat (premium).wav"],
  ])("of %j and %j is %j", (producer, title, filename) => {
    expect(wavName(producer, title)).toBe(filename);
  });

  it("fits every file system, and a long name is cut after a whole character", () => {
    const long = wavName("👩‍👩‍👧‍👦".repeat(60), "x");
    expect(Buffer.byteLength(long)).toBeLessThan(255);
    expect(long.replace(/ \(premium\)\.wav$/, "")).toMatch(/^(👩‍👩‍👧‍👦)+$/u);
  });
});
