import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { addSearchableBeats, type SearchableBeat } from "../../../test/harness/database/searchable-beats.ts";
import { readQuery, searchVector } from "../../text/search-words.ts";
import { type SearchRequest, search } from "./queries.ts";
import { lookupOf } from "./rules.ts";

const database = await testDatabase();
const { query: db, driver } = database;

const add = (...beats: SearchableBeat[]) => addSearchableBeats(database, beats);

/** The titles and, in brackets, the names found, best first. */
async function find(q: string, request: Partial<SearchRequest> = {}, cap?: number): Promise<string[]> {
  return (await result(q, request, cap)).names;
}

async function result(q: string, request: Partial<SearchRequest> = {}, cap?: number) {
  const { hits, total } = await search(
    db,
    { q, type: "all", page: 1, limit: 20, ...request },
    cap === undefined ? {} : { cap },
  );
  const titles = new Map((await driver`select id, title from beats`).map(({ id, title }) => [id, title]));
  const users = new Map(
    (await driver`select id, display_name from users`).map(({ id, display_name }) => [id, display_name]),
  );
  return { total, hits, names: hits.map(({ kind, id }) => (kind === "beat" ? titles.get(id) : `[${users.get(id)}]`)) };
}

const numbered = (count: number, beat: (number: number) => SearchableBeat): SearchableBeat[] =>
  Array.from({ length: count }, (_, at) => beat(at + 1));

beforeEach(() => driver`truncate beats, users, producer_counts, search_words restart identity cascade`);

describe("words", () => {
  test("are all required, in title or producer's name, in any order", async () => {
    await add({ title: "Hotline Bling", by: "Drake" }, { title: "Hotline", by: "Billie" }, { title: "Bling" });
    expect(await find("hotline bling")).toEqual(["Hotline Bling"]);
    expect(await find("drake bling")).toEqual(["Hotline Bling"]);
    expect(await find("bling billie")).toEqual([]);
  });

  test("are found whatever their case and accents, on either side", async () => {
    await add({ title: "Déjà Vu", by: "BEYONCÉ" });
    expect(await find("deja VU beyonce")).toEqual(["Déjà Vu"]);
    expect(await find("DÉJÀ beyoncé")).toEqual(["Déjà Vu"]);
  });

  test("may be unfinished when last, not before", async () => {
    await add({ title: "Midnight Drive" });
    expect(await find("midnight dri")).toEqual(["Midnight Drive"]);
    expect(await find("midn drive")).toEqual([]);
  });

  test("need not be set apart as they are in the catalogue", async () => {
    await add({ title: "Thunder", by: "AC/DC" }, { title: "Creep", by: "Radiohead" }, { title: "Hip-Hop" });
    expect(await find("acdc")).toEqual(["[AC/DC]", "Thunder"]);
    expect(await find("ac dc thunder")).toEqual(["Thunder"]);
    expect(await find("radio head")).toEqual(["[Radiohead]", "Creep"]);
    expect(await find("hiphop")).toEqual(["Hip-Hop"]);
  });

  test("an ampersand need not be, and is read as and", async () => {
    await add({ title: "Boxer", by: "Simon & Garfunkel" });
    for (const q of ["simon & garfunkel", "simon and garfunkel", "simon garfunkel"])
      expect(await find(q)).toEqual(["[Simon & Garfunkel]", "Boxer"]);
  });
});

describe("numbers", () => {
  test("are exact: no beginning of another, no typing error", async () => {
    await add({ title: "180" }, { title: "1800 Dreams" }, { title: "Route 1801" });
    expect(await find("180")).toEqual(["180"]);
    expect(await find("1810")).toEqual([]);
    expect(await find("1 80")).toEqual([]);
  });

  test("of another script are the same numbers", async () => {
    await add({ title: "Track ٧" });
    expect(await find("track 7")).toEqual(["Track ٧"]);
  });
});

describe("other scripts", () => {
  test("Cyrillic words are folded, finished and corrected", async () => {
    await add({ title: "Чёрный ворон", by: "Кино" });
    for (const q of ["черный", "ЧЁРНЫЙ ВОРОН", "вор", "чернфй"]) expect(await find(q)).toEqual(["Чёрный ворон"]);
  });

  test("Arabic words are found without vowels and with any alef", async () => {
    await add({ title: "أُغْنِيَة حُب" });
    for (const q of ["اغنية", "أغنية حب", "اغنيه ح"]) expect(await find(q)).toEqual(["أُغْنِيَة حُب"]);
  });

  test("runs without spaces are found by any part of them, as it stands there", async () => {
    await add({ title: "東京都の夜" }, { title: "京都と東京" }, { title: "ラブストーリー" });
    expect(await find("東京都")).toEqual(["東京都の夜"]);
    expect((await find("東京")).sort()).toEqual(["京都と東京", "東京都の夜"]);
    expect(await find("夜")).toEqual(["東京都の夜"]);
    expect(await find("の")).toEqual(["東京都の夜"]);
    expect(await find("らぶ")).toEqual(["ラブストーリー"]);
    expect(await find("夜東京")).toEqual([]);
  });

  test("emoji are words", async () => {
    await add({ title: "🔥" }, { title: "❤️ Song" });
    expect(await find("🔥")).toEqual(["🔥"]);
    expect(await find("song ❤")).toEqual(["❤️ Song"]);
  });
});

describe("typing errors", () => {
  test.each(["beyonse", "byonce", "beyyonce", "ebyonce", "veyonce", "beyonec"])(
    "one in a word of four letters or more: %s",
    async (q) => {
      await add({ title: "Halo", by: "Beyoncé" });
      expect(await find(q)).toEqual(["[Beyoncé]", "Halo"]);
    },
  );

  test.each(["metalica", "metalicca", "netallika", "emtallcia"])("two in a word of eight or more: %s", async (q) => {
    await add({ title: "One", by: "Metallica" });
    expect(await find(q)).toEqual(["[Metallica]", "One"]);
  });

  test("in several words, and beside one that is being typed", async () => {
    await add({ title: "Humble", by: "Kendrick Lamar" }, { title: "Knife", by: "Grizzly" });
    expect(await find("kendrik lamarr")).toEqual(["[Kendrick Lamar]", "Humble"]);
    expect(await find("grizly kni")).toEqual(["Knife"]);
  });

  test("are not looked for in shorter words, nor two in shorter ones than eight letters", async () => {
    await add({ title: "Sun" }, { title: "Halo", by: "Beyoncé" });
    expect(await find("sum")).toEqual([]);
    expect(await find("beyoonse")).toEqual([]);
  });

  test("come behind what matches as typed, fewest first", async () => {
    await add(
      { title: "Netallica", plays: 5 },
      { title: "Metalica", plays: 1 },
      { title: "Metallica", plays: 9 },
      { title: "Song", by: "Metallica" },
    );
    expect(await find("metalica")).toEqual(["Metalica", "[Metallica]", "Metallica", "Song", "Netallica"]);
  });

  test("are not looked for when a page's worth matches as typed", async () => {
    await add({ title: "Coldplay" }, ...numbered(20, (n) => ({ title: `Goldplay ${n}` })));
    expect((await result("goldplay")).total).toBe(20);
    await driver`delete from beats where title = 'Goldplay 1'`;
    const { total, names } = await result("goldplay");
    expect(total).toBe(20);
    expect(names.at(-1)).toBe("Coldplay");
  });
});

describe("one ranking of beats and producers", () => {
  test("by how much of the name was typed, then by popularity", async () => {
    await add(
      { title: "Other", by: "Nova", plays: 2 },
      { title: "Another", by: "Nova", plays: 3 },
      { title: "Super Nova", by: "Ann", plays: 900 },
      { title: "Nova", by: "Ben", plays: 1 },
      { title: "Nova Heart", by: "Cleo", plays: 50 },
      { title: "Song", by: "Nova Scotia", plays: 1 },
      { title: "Song of Songs", by: "Super Nova", plays: 700 },
    );
    expect(await find("nova")).toEqual([
      "[Nova]",
      "Nova",
      "Nova Heart",
      "Another",
      "Other",
      "[Nova Scotia]",
      "Super Nova",
      "[Super Nova]",
      "Song of Songs",
      "Song",
    ]);
  });

  test("equals are in one order always, the newest first", async () => {
    await add(...numbered(5, (n) => ({ title: `Dawn ${n}` })));
    expect(await find("dawn")).toEqual(["Dawn 5", "Dawn 4", "Dawn 3", "Dawn 2", "Dawn 1"]);
  });

  test("holds only the type that was asked for", async () => {
    await add({ title: "Nova", by: "Nova" });
    expect(await result("nova")).toMatchObject({ names: ["[Nova]", "Nova"], total: 2 });
    expect(await result("nova", { type: "beats" })).toMatchObject({ names: ["Nova"], total: 1 });
    expect(await result("nova", { type: "producers" })).toMatchObject({ names: ["[Nova]"], total: 1 });
  });

  test("leaves out beats that are sold and users who produce nothing", async () => {
    await add({ title: "Nova", isListed: false }, { title: "Nova Two" });
    await add({ title: "Song", by: "Nova" });
    await driver`update users set is_producer = false where username = 'Nova'`;
    expect(await find("nova", { type: "producers" })).toEqual([]);
    await driver`update beats set is_listed = false where title = 'Song'`;
    expect(await find("nova")).toEqual(["Nova Two"]);
  });
});

describe("pages", () => {
  test("hold every match once, and the same total", async () => {
    await add(...numbered(45, (n) => ({ title: `Dusk ${n}`, by: `Dusk ${n % 7}`, plays: n % 4 })));
    const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => result("dusk", { page, limit: 10 })));
    expect(pages.map(({ total }) => total)).toEqual(Array(6).fill(52));
    const names = pages.flatMap((page) => page.names);
    expect(names).toHaveLength(52);
    expect(new Set(names).size).toBe(52);
    expect(await find("dusk", { limit: 50 })).toEqual(names.slice(0, 50));
  });

  test("past the end are empty and still tell the total", async () => {
    await add({ title: "Dusk" });
    expect(await result("dusk", { page: 2 })).toEqual({ hits: [], names: [], total: 1 });
    expect(await result("dusk", { page: 2_147_483_647, limit: 50 })).toEqual({ hits: [], names: [], total: 1 });
  });
});

describe("with more matches than the cap", () => {
  const cap = 30;

  test("the total is the cap, pages end there, and the most popular come first", async () => {
    await add(...numbered(100, (n) => ({ title: n % 10 === 0 ? "Rain" : `Rain ${n}`, plays: (n * 37) % 101 })));
    const pages = await Promise.all([1, 2, 3, 4].map((page) => result("rain", { page, limit: 13 }, cap)));
    expect(pages.map(({ total }) => total)).toEqual([cap, cap, cap, cap]);
    expect(pages.map(({ hits }) => hits.length)).toEqual([13, 13, 4, 0]);
    const most = await driver`select id from beats order by play_count desc, id desc limit ${cap}`;
    expect(pages.flatMap(({ hits }) => hits.map(({ id }) => id))).toEqual(most.map(({ id }) => id));
  });

  test("exactly as many as the cap are all ranked", async () => {
    await add({ title: "Rain", plays: 0 }, ...numbered(cap - 1, (n) => ({ title: `Rain ${n}`, plays: n })));
    const { total, names } = await result("rain", {}, cap);
    expect([total, names[0]]).toEqual([cap, "Rain"]);
  });

  test("beats and producers are weighed against each other, and a producer so named leads", async () => {
    await add(
      { title: "Song", by: "Rain" },
      ...numbered(40, (n) => ({ title: `Rain ${n}`, by: `Rainer ${n % 5}`, plays: n ** 3 })),
    );
    const { names } = await result("rain", { limit: 30 }, cap);
    expect(names[0]).toBe("[Rain]");
    expect(names.slice(1, 8).some((name) => name?.startsWith("["))).toBe(true);
    expect(names.slice(1, 8).some((name) => !name?.startsWith("["))).toBe(true);
    expect(await result("rain", { type: "producers" }, cap)).toMatchObject({ total: 6 });
  });

  test("they are found although thousands of others are more popular", async () => {
    await add(
      ...numbered(100, (n) => ({ title: `Rain ${n}`, plays: n })),
      ...numbered(2500, (n) => ({ title: `Sun ${n}`, plays: 1000 + n })),
    );
    expect(await find("rain", { type: "beats", limit: 3 }, cap)).toEqual(["Rain 100", "Rain 99", "Rain 98"]);
  });

  test("what matches as typed leads those that were corrected", async () => {
    await add({ title: "Thunnder" }, ...numbered(40, (n) => ({ title: `Thunder ${n}`, plays: n })));
    expect((await find("thunnder", {}, cap)).slice(0, 2)).toEqual(["Thunnder", "Thunder 40"]);
  });
});

describe("q", () => {
  test.each(["", "   ", "\n\t"])("that is blank is refused: %j", async (q) => {
    await expect(find(q)).rejects.toMatchObject({ status: 400, code: "invalid_request", refusedBy: "parameter:q" });
  });

  test("has at most 200 characters, whatever their size", async () => {
    await expect(find("🔥".repeat(201))).rejects.toMatchObject({ status: 400, refusedBy: "parameter:q" });
    expect(await find(` ${"🔥".repeat(200)} `)).toEqual([]);
    expect(await find("a ".repeat(100))).toEqual([]);
    expect(await find("東".repeat(200))).toEqual([]);
  });

  test.each(["???", "&", "'", "- / .", "\u200b", "\u0000", "\ud800"])("without words finds nothing: %j", async (q) => {
    await add({ title: "Dusk" });
    expect(await result(q)).toEqual({ hits: [], names: [], total: 0 });
  });

  test.each([
    "dusk' | 'x",
    "dusk:*A",
    "!dusk",
    "dusk <-> x",
    "(dusk",
    "dusk\\",
    "dusk''",
    "=dusk",
    "%_",
    "dusk\u0000x",
  ])("is never read as syntax: %s", async (q) => {
    await add({ title: "Dusk" });
    await expect(find(q)).resolves.toBeDefined();
  });

  test("of any characters never fails", async () => {
    await add({ title: "Dusk", by: "Nightowl" });
    const any = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom(..."ab'\\:*&|!()<->=$\"東🔥é \u0301\u0000\ud800"),
        minLength: 1,
        maxLength: 60,
      }),
    );
    await fc.assert(
      fc.asyncProperty(any, async (q) => {
        fc.pre(q.trim() !== "");
        await search(db, { q, type: "all", page: 1, limit: 20 });
      }),
      { numRuns: 300 },
    );
  });

  test("finds the text that it was copied from", async () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(..."abcé1٣-'./& $!東京らラไท🔥ж한"), maxLength: 40 }),
    );
    const texts = fc.sample(text, 1500).filter((sample) => lookupOf(readQuery(sample)) !== undefined);
    expect(texts.length).toBeGreaterThan(1000);
    const lost = await driver`
      select copied from unnest(
        ${texts}::text[], ${texts.map((sample) => searchVector([{ text: sample, weight: "A" }]))}::text[],
        ${texts.map((sample) => lookupOf(readQuery(sample))?.found ?? "")}::text[]
      ) as sample (copied, vector, found) where not vector::tsvector @@ found::tsquery`;
    expect(lost).toEqual([]);
  });
});

test("leaves the connection as it was", async () => {
  await add({ title: "Dusk" });
  await find("dsuk");
  const settings = await Promise.all(Array.from({ length: 5 }, () => driver`show enable_seqscan`));
  expect(settings.map(([row]) => row?.enable_seqscan)).toEqual(Array(5).fill("on"));
});
