import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import pino from "pino";
import { afterAll, describe, expect, it, test } from "vitest";
import { consoleType, publicUrl, type TestApi, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { unpromised } from "../../../test/harness/documents/promised-responses.ts";
import { findLastTake, setTakenTag, takeExport } from "./export.ts";
import { Exports } from "./exports.ts";

const dataDir = await mkdtemp(join(tmpdir(), "beatmarket-exports-"));
afterAll(() => rm(dataDir, { recursive: true, force: true }));
const folder = join(dataDir, "exports");
const clock = new FakeClock(Date.now());
const database = await testDatabase();
const api: TestApi = await testApi({ dataDir, clock, database });
const { driver, query: db } = database;

const path = "/v1/exports/beats.ndjson.gz";
/** Sends GET. The OpenAPI document must allow the response. */
const get = async (headers: Record<string, string> = {}, key: string | null = api.key) => {
  const response = await api.get(path, { key, headers });
  expect(unpromised("exportBeats", response)).toBeNull();
  return response;
};
const head = (headers: Record<string, string> = {}, key: string = api.key) =>
  api.request({ method: "HEAD", url: path, headers: { authorization: `Bearer ${key}`, ...headers } });
type Response = Awaited<ReturnType<typeof get>>;
interface Line {
  id: number;
  title: string;
}
const linesOf = (bytes: Buffer): Line[] =>
  gunzipSync(bytes)
    .toString()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const changePositionOf = (response: Response): number => Number(response.headers["x-change-position"]);

const ids = await insertBeats(database, [
  { title: "One é 😀", producer: "Ana", genre: "Trap" },
  { title: "Two", producer: "Ben", genre: "House" },
  { title: "Sold" },
]);
await db.updateTable("beats").set({ is_listed: false }).where("title", "=", "Sold").execute();
/** Changes the catalogue, and advances the clock, so that the next export is a new one. */
const change = async (title = `Changed at ${clock.nowMs()}`) => {
  await db
    .updateTable("beats")
    .set({ title })
    .where("id", "=", ids[1] as number)
    .execute();
  clock.advance(601_000);
};

describe("GET /exports/beats.ndjson.gz", () => {
  it("has each listed beat as in GET /beats?ids=, by id, and the position of the export", async () => {
    const response = await get();
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      "content-type": "application/gzip",
      "content-disposition": 'attachment; filename="beats.ndjson.gz"',
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache",
    });
    expect(response.headers).not.toHaveProperty("content-encoding");
    const [{ position } = { position: 0 }] = await driver`select max(position) as position from catalogue_changes`;
    expect(changePositionOf(response)).toBe(position);
    const beats = await Promise.all(
      ids.slice(0, 2).map(async (id) => JSON.stringify((await api.get(`/v1/beats?ids=${id}`)).json().data.beats[0])),
    );
    expect(gunzipSync(response.rawPayload).toString()).toBe(`${beats.join("\n")}\n`);
    const again = await get();
    expect(again.headers["content-length"]).toBe(String(again.rawPayload.length));
    expect(again.headers["last-modified"]).toBe(new Date(clock.nowMs()).toUTCString());
    expect(again.rawPayload).toEqual(response.rawPayload);
  });

  it("has the console form if requested, and the reference form for any other type", async () => {
    const response = await get({ accept: consoleType });
    const beats = await Promise.all(
      ids.slice(0, 2).map(async (id) => (await api.get(`/v1/beats?ids=${id}`, { accept: consoleType })).json().data[0]),
    );
    expect(linesOf(response.rawPayload)).toEqual(beats);
    const reference = await get({ accept: "application/gzip" });
    expect(reference.headers.etag).not.toBe(response.headers.etag);
    expect(linesOf(reference.rawPayload)[0]).toHaveProperty("producer_name", "Ana");
  });

  it("returns one export for concurrent calls", async () => {
    await change();
    const before = (await readdir(folder)).length;
    const keys = await Promise.all(Array.from({ length: 8 }, () => api.makeKey()));
    const responses = await Promise.all(keys.map((key) => get({}, key)));
    expect(new Set(responses.map(({ headers }) => headers.etag)).size).toBe(1);
    for (const { rawPayload } of responses) expect(linesOf(rawPayload)).toHaveLength(2);
    expect((await readdir(folder)).length).toBeLessThanOrEqual(before + 1);
  });

  it("returns the same export for ten minutes, and after that until the catalogue has changed", async () => {
    await change();
    const first = await get();
    await db
      .updateTable("beats")
      .set({ title: "Changed" })
      .where("id", "=", ids[1] as number)
      .execute();
    clock.advance(599_000);
    expect((await get()).headers.etag).toBe(first.headers.etag);
    clock.advance(2_000);
    const second = await get();
    expect(linesOf(second.rawPayload)[1]?.title).toBe("Changed");
    expect(changePositionOf(second)).toBeGreaterThan(changePositionOf(first));
    clock.advance(3_000_000);
    expect((await get()).headers["last-modified"]).toBe(second.headers["last-modified"]);
  });

  it("answers 304 and HEAD with the current export, without counting a download", async () => {
    await change();
    const key = await api.makeKey({ plan: "standard" });
    const first = await head({}, key);
    expect(first.statusCode).toBe(200);
    expect(first.body).toBe("");
    const etag = String(first.headers.etag);
    expect((await get({ "if-none-match": `"x", ${etag}` }, key)).statusCode).toBe(304);
    const completeResponse = await get({}, key);
    expect(completeResponse.headers.etag).toBe(etag);
    for (let count = 0; count < 15; count++) expect((await head({}, key)).statusCode).toBe(200);
    const last = await head({}, key);
    expect(last.headers["content-length"]).toBe(String(completeResponse.rawPayload.length));
    expect(changePositionOf(last)).toBe(changePositionOf(completeResponse));
    expect((await get({ "if-none-match": etag }, key)).statusCode).toBe(304);
  });

  it("answers 400 for a parameter, 401 without a key, 403 without beats:read", async () => {
    expect((await api.get(`${path}?page=2`)).statusCode).toBe(400);
    expect((await get({}, null)).statusCode).toBe(401);
    expect((await get({}, await api.makeKey({ permissions: ["genres:read"] }))).statusCode).toBe(403);
  });
});

describe("the limit", () => {
  it("is 429 for a second export within the hour, with the position to continue from", async () => {
    const key = await api.makeKey({ plan: "standard" });
    const first = await get({}, key);
    clock.advance(1_000_000);
    const refusal = await get({}, key);
    expect(refusal.statusCode).toBe(429);
    expect(refusal.headers["retry-after"]).toBe("2600");
    expect(refusal.json().error.details).toContain(`GET /changes?after=${changePositionOf(first)}.`);
    expect((await get({}, await api.makeKey({ plan: "standard" }))).statusCode).toBe(200);
    clock.advance(2_600_000);
    expect((await get({}, key)).statusCode).toBe(200);
  });

  it("is independent of the plan's limits, and does not apply to the plan internal", async () => {
    const key = await api.makeKey({ plan: "standard" });
    const response = await get({}, key);
    expect(response.headers).not.toHaveProperty("x-ratelimit-limit");
    expect((await get({}, key)).headers).not.toHaveProperty("x-ratelimit-limit");
    expect((await api.get("/v1/genres", { key })).headers["x-ratelimit-remaining"]).toBe("9");
    for (let count = 0; count < 3; count++) expect((await get()).statusCode).toBe(200);
  });

  it("admits one of several concurrent calls on any instances", async () => {
    const key = await api.makeKey({ plan: "standard" });
    const other = await testApi({ dataDir: join(dataDir, "other"), clock, database });
    const responses = await Promise.all([
      get({}, key),
      get({}, key),
      other.get(path, { key }),
      other.get(path, { key }),
    ]);
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 429, 429, 429]);
  });
});

describe("Range", () => {
  it("answers 206 to later parts of a download, which do not count as downloads; a part from byte 0 does", async () => {
    const key = await api.makeKey({ plan: "standard" });
    const { rawPayload: completeFile } = await get({}, key);
    const etag = String((await head({}, key)).headers.etag);
    const remaining = await get({ range: "bytes=20-", "if-range": etag }, key);
    expect(remaining.statusCode).toBe(206);
    expect(remaining.headers).toMatchObject({
      "content-range": `bytes 20-${completeFile.length - 1}/${completeFile.length}`,
      "content-length": String(completeFile.length - 20),
      etag,
    });
    expect(remaining.rawPayload).toEqual(completeFile.subarray(20));
    expect((await get({ range: "bytes=-7" }, key)).rawPayload).toEqual(completeFile.subarray(-7));
    expect((await get({ range: "bytes=0-9" }, key)).statusCode).toBe(429);
    expect((await get({ range: "bytes=0-1,5-6" }, key)).statusCode).toBe(429);
    expect((await get({ range: "bytes=0-9" })).rawPayload).toEqual(completeFile.subarray(0, 10));
    expect((await get({ range: "bytes=0-1,5-6" })).rawPayload).toEqual(completeFile);
  });

  it("counts a 206 as a download if the key has taken no export within the hour", async () => {
    await get();
    const key = await api.makeKey({ plan: "standard" });
    expect((await get({ range: "bytes=5-" }, key)).statusCode).toBe(206);
    expect((await get({ range: "bytes=5-" }, key)).statusCode).toBe(206);
    expect((await get({}, key)).statusCode).toBe(429);
  });

  it("resumes an older export by its validator, or the key's last export, even if there is a newer one", async () => {
    const key = await api.makeKey({ plan: "standard" });
    const old = await get({}, key);
    const etag = String(old.headers.etag);
    await change();
    const newer = await get();
    expect(newer.headers.etag).not.toBe(etag);
    for (const validator of [{ "if-range": etag }, { "if-range": String(old.headers["last-modified"]) }, {}]) {
      const remaining = await get({ range: "bytes=10-", ...validator } as Record<string, string>, key);
      expect(remaining.statusCode).toBe(206);
      expect(remaining.headers.etag).toBe(etag);
      expect(remaining.rawPayload).toEqual(old.rawPayload.subarray(10));
    }
  });

  it("answers 200 with the current export to If-Range of a deleted export", async () => {
    const completeResponse = await get();
    const other = await get({ range: "bytes=10-", "if-range": '"1-reference-0000000000"' });
    expect(other.statusCode).toBe(200);
    expect(other.rawPayload).toEqual(completeResponse.rawPayload);
  });

  it("answers 416 for a range after the end", async () => {
    const { length } = (await get()).rawPayload;
    const response = await get({ range: `bytes=${length}-` });
    expect(response.statusCode).toBe(416);
    expect(response.headers["content-range"]).toBe(`bytes */${length}`);
  });
});

test("an export with the changes after its position equals the catalogue, even with concurrent writes", async () => {
  await driver`insert into beats (user_id, genre_id, title, tempo, price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents)
    select user_id, genre_id, 'copy ' || n, 90, 1, 2, 3, 4 from beats, generate_series(1, 3000) n where id = ${ids[0]}`;
  let isWriting = true;
  let writes = 0;
  const write = async (seed: number) => {
    for (let n = seed; isWriting; n += 3) {
      await driver
        .begin(async (transaction) => {
          await transaction`update beats set play_count = play_count + 1 where id % 97 = ${n % 97}`;
          await transaction`update beats set is_listed = not is_listed where id % 1009 = ${n % 1009}`;
          if (n % 5 === 0) await transaction`delete from beats where id % 1013 = ${n % 1013}`;
          await transaction`insert into beats (user_id, genre_id, title, tempo, price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents)
          select user_id, genre_id, 'new ' || ${n}::text, 90, 1, 2, 3, 4 from beats limit 1`;
        })
        .catch((error) => {
          if (error.code !== "40P01") throw error;
        });
      writes++;
    }
  };
  const writers = [write(0), write(1), write(2)];
  clock.advance(601_000);
  const response = await get();
  const writesDuringExport = writes;
  isWriting = false;
  await Promise.all(writers);
  expect(writesDuringExport).toBeGreaterThan(0);

  const mirror = new Map<number, unknown>(linesOf(response.rawPayload).map((beat) => [beat.id, beat]));
  for (let after = changePositionOf(response); ; ) {
    const { changes, next } = (await api.get(`/v1/changes?after=${after}&limit=1000`)).json().data;
    for (const { beat_id, type, beat } of changes)
      if (type === "withdrawn" || type === "sold" || beat === null) mirror.delete(beat_id);
      else mirror.set(beat_id, beat);
    if (changes.length === 0) break;
    after = next;
  }
  clock.advance(601_000);
  const now = linesOf((await get()).rawPayload);
  expect([...mirror.values()].sort((a, b) => (a as Line).id - (b as Line).id)).toEqual(now);
});

describe("files", () => {
  const exportsOf = (dir: string) =>
    new Exports({ database, dataDir: dir, publicUrl, clock, log: pino({ level: "silent" }) });
  const newKey = async () => {
    const key = await api.makeKey({ plan: "standard" });
    const [{ id } = { id: 0 }] = await driver<{ id: number }[]>`select max(id) as id from api_keys`;
    return { key, id };
  };

  test("that cannot be written are 503, and the call does not count as a download", async () => {
    const dir = await mkdtemp(join(dataDir, "full-"));
    await writeFile(join(dir, "exports"), "no folder");
    const brokenApi = await testApi({ dataDir: dir, clock, database });
    const { key } = await newKey();
    const refusal = await brokenApi.get(path, { key });
    expect(refusal.statusCode).toBe(503);
    expect(unpromised("exportBeats", refusal)).toBeNull();
    expect(refusal.headers["retry-after"]).toBe("60");
    await rm(join(dir, "exports"));
    expect((await brokenApi.get(path, { key })).statusCode).toBe(200);
  });

  test("whose process ends before the first bytes are 503 for all waiting calls, leave no file, and do not count", async () => {
    const dir = await mkdtemp(join(dataDir, "killed-"));
    const killed = await testApi({ dataDir: dir, clock, database });
    const keys = [await api.makeKey({ plan: "standard" }), await api.makeKey({ plan: "standard" })];
    const release = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = driver.begin(async (transaction) => {
      await transaction`lock table catalogue_changes in access exclusive mode`;
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const waiting = keys.map((key) => killed.get(path, { key }));
    await expect
      .poll(
        () =>
          driver`select from pg_stat_activity where application_name ^@ 'beatmarket export' and wait_event_type = 'Lock' and datname = current_database()`,
      )
      .toHaveLength(1);
    await driver`select pg_terminate_backend(pid) from pg_stat_activity where application_name ^@ 'beatmarket export' and datname = current_database()`;
    for (const response of await Promise.all(waiting)) expect(response.statusCode).toBe(503);
    release.resolve();
    await holding;
    expect(await readdir(join(dir, "exports"))).toEqual([]);
    for (const key of keys) expect((await killed.get(path, { key })).statusCode).toBe(200);
  });

  test("of an earlier process are served if complete; incomplete files are deleted, and do not count as taken", async () => {
    const dir = await mkdtemp(join(dataDir, "start-"));
    const before = exportsOf(dir);
    const export_ = await before.make("reference");
    await expect.poll(() => export_.isComplete).toBe(true);
    const [a, b] = [await newKey(), await newKey()];
    for (const { id } of [a, b]) await takeExport(db, { id, isLimited: true }, clock.now());
    await setTakenTag(db, a.id, "7-reference-0123456789");
    await setTakenTag(db, b.id, export_.tag);
    await writeFile(join(dir, "exports/beats-7-reference-0123456789.ndjson.gz.draft"), "half");
    await writeFile(join(dir, "exports/note.txt"), "not ours");
    const after = exportsOf(dir);
    await after.open();
    expect((await readdir(join(dir, "exports"))).sort()).toEqual([`beats-${export_.tag}.ndjson.gz`, "note.txt"]);
    expect(await findLastTake(db, a.id)).toBeUndefined();
    expect((await findLastTake(db, b.id))?.tag).toBe(export_.tag);
    expect((await after.current("reference"))?.tag).toBe(export_.tag);
    expect(after.find(export_.etag)?.bytes).toBe(export_.bytes);
  });

  test("are deleted above a limit of six, and after an hour except each form's newest and files in use", async () => {
    const dir = await mkdtemp(join(dataDir, "old-"));
    await mkdir(join(dir, "exports"));
    const file = async (position: number, form: string, minutesAgo: number) => {
      const name = join(dir, `exports/beats-${position}-${form}-0123456789.ndjson.gz`);
      await writeFile(name, "bytes");
      const seconds = (clock.nowMs() - minutesAgo * 60_000) / 1_000;
      await utimes(name, seconds, seconds);
    };
    const positions = async () =>
      (await readdir(join(dir, "exports"))).map((name) => Number(name.split("-")[1])).sort((x, y) => x - y);
    await file(1, "console", 90);
    for (const [index, minutes] of [80, 70, 50, 40].entries()) await file(index + 2, "reference", minutes);
    const exports = exportsOf(dir);
    await exports.open();
    expect(await positions()).toEqual([1, 4, 5]);
    const exportInUse = exports.find('"4-reference-0123456789"');
    const reader = await exportInUse?.read(null);
    clock.advance(3_000_000);
    await exports.sweep();
    expect(await positions()).toEqual([1, 4, 5]);
    reader?.destroy();
    await new Promise((resolve) => reader?.once("close", resolve));
    await exports.sweep();
    expect(await positions()).toEqual([1, 5]);
    for (let position = 6; position < 14; position++) await file(position, "reference", 20 - position);
    const reopened = exportsOf(dir);
    await reopened.open();
    expect(await positions()).toEqual([8, 9, 10, 11, 12, 13]);
  });
});
