import { beforeEach, describe, expect, it, test } from "vitest";
import { consoleType, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { sellExclusive } from "../beats/licensing/exclusive.ts";
import { deleteOldChanges, newestPosition } from "./queries.ts";

const api = await testApi();
const { driver, query: db } = api.database;
const now = new Date("2026-11-22T12:00:00Z");

interface Change {
  position: number;
  type: string;
  beat_id: number;
  beat: { id: number; title: string; producer_name: string; licenses: { available: boolean }[] } | null;
}
const readChanges = async (query = ""): Promise<{ changes: Change[]; next: number }> =>
  (await api.get(`/v1/changes${query}`)).json().data;
/** The types of the changes after a position, each as `type beat_id`. */
const typesAfter = async (after: number) =>
  (await readChanges(`?after=${after}&limit=1000`)).changes.map(({ type, beat_id }) => `${type} ${beat_id}`);
const end = () => newestPosition(db);

let first = 0;
let second = 0;
let start = 0;
beforeEach(async () => {
  await driver`truncate beats cascade`;
  [first = 0, second = 0] = await insertBeats(api.database, [
    { title: "One", producer: "Ana", genre: "Trap" },
    { title: "Two", producer: "Ben", genre: "House" },
  ]);
  start = await end();
});

describe("GET /changes", () => {
  it("reports each kind of change, in the order of commits", async () => {
    const [third] = await insertBeats(api.database, [{ title: "Three" }]);
    await db.updateTable("beats").set({ title: "Two again" }).where("id", "=", second).execute();
    await sellExclusive(db, { beatId: first, orderId: 7, now });
    await db.updateTable("beats").set({ is_listed: false }).where("id", "=", second).execute();
    await db.updateTable("beats").set({ is_listed: true }).where("id", "=", second).execute();
    await db.deleteFrom("beats").where("id", "=", second).execute();
    expect(await typesAfter(start)).toEqual([
      `published ${third}`,
      `updated ${second}`,
      `sold ${first}`,
      `withdrawn ${second}`,
      `published ${second}`,
      `withdrawn ${second}`,
    ]);
  });

  it("has the current beat in the form of GET /beats by ids: a sold beat without available licenses, a withdrawn beat as null", async () => {
    await sellExclusive(db, { beatId: first, orderId: 7, now });
    await db.deleteFrom("beats").where("id", "=", second).execute();
    const { changes, next } = await readChanges(`?after=${start}`);
    expect(changes.map(({ beat }) => beat)).toEqual([
      (await api.get(`/v1/beats?ids=${first}`)).json().data.beats[0],
      null,
    ]);
    expect(changes[0]?.beat?.licenses.some(({ available }) => available)).toBe(false);
    const console = await api.get(`/v1/changes?after=${start}`, { accept: consoleType });
    expect(console.json()).toEqual({
      success: true,
      data: {
        changes: [
          {
            position: changes[0]?.position,
            type: "sold",
            beat_id: first,
            beat: (await api.get(`/v1/beats?ids=${first}`, { accept: consoleType })).json().data[0],
          },
          { position: changes[1]?.position, type: "withdrawn", beat_id: second, beat: null },
        ],
        next,
      },
    });
  });

  it("has no beat in a withdrawal, nor in any change of a beat that is withdrawn now", async () => {
    for (const is_listed of [false, true])
      await db.updateTable("beats").set({ is_listed }).where("id", "=", second).execute();
    const shown = async () =>
      (await readChanges(`?after=${start}`)).changes.map(({ type, beat }) => [type, beat?.id ?? null]);
    expect(await shown()).toEqual([
      ["withdrawn", null],
      ["published", second],
    ]);
    await db.updateTable("beats").set({ is_listed: false }).where("id", "=", second).execute();
    expect(await shown()).toEqual([
      ["withdrawn", null],
      ["published", null],
      ["withdrawn", null],
    ]);
  });

  it("returns the same changes in pages of 100 and of 1,000, even if a page ends within a bulk write", async () => {
    await driver`update beats set play_count = play_count + 1`;
    await driver`insert into beats (user_id, genre_id, title, tempo, price_cents, premium_price_cents, unlimited_price_cents, exclusive_price_cents)
      select user_id, genre_id, 'copy ' || n, 90, 1, 2, 3, 4 from beats, generate_series(1, 1250) n where id = ${first}`;
    const positions: number[] = [];
    for (let after = start; ; ) {
      const { changes, next } = await readChanges(`?after=${after}&limit=100`);
      positions.push(...changes.map(({ position }) => position));
      if (changes.length === 0) break;
      after = next;
    }
    expect(positions).toHaveLength(1252);
    const large = await readChanges(`?after=${start}&limit=1000`);
    const secondPage = await readChanges(`?after=${large.next}&limit=1000`);
    expect(positions).toEqual([...large.changes, ...secondPage.changes].map(({ position }) => position));
  });

  it("begins without `after` with the oldest stored change", async () => {
    const [oldest] = await driver<{ position: number }[]>`
      select position from catalogue_changes where subject = 'beats' and position > 0 order by position limit 1`;
    expect((await readChanges("?limit=1")).changes[0]?.position).toBe(oldest?.position);
  });

  it("reports neither unlisted beats nor users", async () => {
    await sellExclusive(db, { beatId: first, orderId: 7, now });
    const after = await end();
    await driver`update beats set play_count = 5 where id = ${first}`;
    await driver`update users set bio = 'New'`;
    expect(await typesAfter(after)).toEqual([]);
    expect(await typesAfter(start)).toEqual([`sold ${first}`]);
  });

  it("reports every beat of a renamed producer or genre, with the new name", async () => {
    await driver`update users set display_name = 'Anna' where display_name = 'Ana'`;
    await driver`update genres set name = 'Deep House' where name = 'House'`;
    const { changes } = await readChanges(`?after=${start}`);
    expect(changes.map(({ type, beat_id }) => `${type} ${beat_id}`)).toEqual([`updated ${first}`, `updated ${second}`]);
    expect(changes[0]?.beat?.producer_name).toBe("Anna");
  });

  it.each([
    ["?after=-1", "after"],
    ["?after=yesterday", "after"],
    ["?limit=0", "limit"],
    ["?limit=1001", "limit"],
    ["?wait=31", "wait"],
    ["?since=5", "since"],
    ["?after=99999999999999999999", "after"],
  ])("answers 400 for %s, with the parameter in the details", async (query, parameter) => {
    const response = await api.get(`/v1/changes${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(parameter);
  });

  it("answers 401 without a key, 403 without beats:read", async () => {
    expect((await api.get("/v1/changes", { key: null })).statusCode).toBe(401);
    const key = await api.makeKey({ permissions: ["genres:read"] });
    expect((await api.get("/v1/changes", { key })).statusCode).toBe(403);
  });

  it("answers 410 for a position whose changes are deleted, with the remedy", async () => {
    await driver`update catalogue_changes set changed_at = ${new Date("2026-10-22T12:00:00Z")}`;
    await insertBeats(api.database, [{ title: "New" }]);
    await deleteOldChanges(db, now);
    const response = await api.get("/v1/changes?after=1");
    expect(response.statusCode).toBe(410);
    expect(response.json().error.details).toMatch(/older than 30 days.*GET \/exports\/beats\.ndjson\.gz/);
    expect((await readChanges(`?after=${start}`)).changes).toHaveLength(1);
    expect((await readChanges()).changes).toHaveLength(1);
    expect(await deleteOldChanges(db, now)).toBe(0);
  });

  it("answers 410 for a position after the newest, as a mirror sends it after a restore", async () => {
    const response = await api.get(`/v1/changes?after=${(await end()) + 1}`);
    expect(response.statusCode).toBe(410);
    expect(response.json().error.details).toMatch(/is ahead of the newest change, \d+.*GET \/exports/);
  });
});

describe("GET /changes?wait", () => {
  test("answers all waiting requests with the first change of a beat", async () => {
    const waitingReads = Array.from({ length: 50 }, () => readChanges(`?after=${start}&wait=30`));
    await driver`update users set bio = 'Not of interest'`;
    await driver`update beats set title = 'Changed' where id = ${first}`;
    const pages = await Promise.all(waitingReads);
    expect(
      new Set(pages.map(({ changes }) => JSON.stringify(changes.map(({ type, beat_id }) => [type, beat_id])))),
    ).toEqual(new Set([JSON.stringify([["updated", first]])]));
  });

  test("answers immediately if there are changes", async () => {
    expect((await readChanges(`?after=${start - 1}&wait=30`)).changes.length).toBeGreaterThan(0);
  });
});
