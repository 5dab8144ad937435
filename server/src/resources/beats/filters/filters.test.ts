import { beforeAll, describe, expect, test } from "vitest";
import { consoleType, testApi } from "../../../../test/harness/api.ts";
import { insertBeats } from "../../../../test/harness/database/catalogue.ts";

const api = await testApi();
let ids: Record<string, number> = {};
let genres: Record<string, number> = {};

const catalogue = [
  {
    title: "Slow",
    tempo: 70.4,
    key: "Am",
    priceCents: 1999,
    durationSeconds: 90,
    createdAt: "2026-01-01T00:00:00.5Z",
    tags: ["Lo-Fi", "Piano"],
  },
  {
    title: "Fast",
    tempo: 139.6,
    key: "C major",
    priceCents: 2990,
    durationSeconds: 180,
    createdAt: "2026-01-02T23:59:59Z",
    tags: ["808"],
    genre: "House",
    producer: "Kilo Volt",
  },
  {
    title: "Double",
    tempo: 280,
    key: "Em",
    priceCents: 4000,
    durationSeconds: 181,
    createdAt: "2026-01-03T00:00:00Z",
    tags: ["808", "lofi"],
    genre: "Dub",
  },
  { title: "Sharp", tempo: 150, key: "F# minor", priceCents: 0, createdAt: "2026-01-04T12:00:00Z", genre: "House" },
  { title: "Keyless", tempo: 95, priceCents: 10_000, createdAt: "2026-01-05T12:00:00Z" },
];

beforeAll(async () => {
  const insertedIds = await insertBeats(api.database, catalogue);
  ids = Object.fromEntries(catalogue.map(({ title }, index) => [title, insertedIds[index] ?? 0]));
  const rows = await api.database.query.selectFrom("genres").select(["id", "name"]).execute();
  genres = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
});

const get = async (query: string, accept?: string) =>
  (await api.get(`/v1/beats?${query}`, accept === undefined ? {} : { accept })).json();
/** The titles of a query's beats, in the reverse order of the response: with the default sort, oldest first. */
const titles = async (query: string): Promise<string[]> =>
  (await get(query)).data.beats.map(({ title }: { title: string }) => title).reverse();
const details = async (query: string, path = "beats"): Promise<string> => {
  const response = await api.get(`/v1/${path}?${query}`);
  expect(response.statusCode, query).toBe(400);
  expect(response.json()).toMatchObject({ status: "error", error: { code: "invalid_request" } });
  return response.json().error.details;
};

test.each([
  ["bpm_min=140", ["Fast", "Double", "Sharp"]],
  ["bpm_max=140", ["Slow", "Fast", "Keyless"]],
  ["bpm_min=70&bpm_max=70", ["Slow"]],
  ["bpm=140", ["Fast"]],
  ["bpm=147&bpm_tolerance=5", ["Fast", "Sharp"]],
  ["bpm=140&bpm_tolerance=7.2", ["Fast", "Sharp"]],
  ["bpm=140&half_double=false", ["Fast"]],
  ["bpm=140&half_double=true", ["Slow", "Fast", "Double"]],
  // 137 ± 4.75 % is 130.5 to 143.5. The half and the double of this range match, too.
  ["bpm=137&bpm_tolerance=4.75&half_double=true", ["Slow", "Fast", "Double"]],
  ["bpm=141&half_double=true", []],
  ["key=A minor", ["Slow"]],
  ["key=am", ["Slow"]],
  ["key=8A", ["Slow"]],
  ["key=Gbm", ["Sharp"]],
  ["key=F%23m", ["Sharp"]],
  ["key=8B, Gb minor", ["Fast", "Sharp"]],
  ["key=unknown", ["Keyless"]],
  ["key=unknown,8A", ["Slow", "Keyless"]],
  ["key_compatible=A minor", ["Slow", "Fast", "Double"]],
  ["key_compatible=9A", ["Slow", "Double"]],
  ["key_compatible=Am&key=Em,F%23m", ["Double"]],
  ["price_min=29.9", ["Fast", "Double", "Keyless"]],
  ["price_max=29.90", ["Slow", "Fast", "Sharp"]],
  ["price_min=19.99&price_max=40", ["Slow", "Fast", "Double"]],
  ["price_max=0", ["Sharp"]],
  ["duration_min=180", ["Fast", "Double"]],
  ["duration_min=90&duration_max=180", ["Slow", "Fast"]],
  ["created_after=2026-01-03T00:00:00Z", ["Double", "Sharp", "Keyless"]],
  ["created_after=2026-01-03T02:00:00%2B02:00", ["Double", "Sharp", "Keyless"]],
  ["created_after=2026-01-03T00:00:00.001Z", ["Sharp", "Keyless"]],
  ["created_after=2026-01-03", ["Double", "Sharp", "Keyless"]],
  ["created_before=2026-01-02", ["Slow", "Fast"]],
  // Compared with the displayed value, which is in whole seconds.
  ["created_before=2026-01-01T00:00:00Z", ["Slow"]],
  ["created_after=2026-01-01T00:00:00Z&created_before=2026-01-01T00:00:00Z", ["Slow"]],
  ["tag=808", ["Fast", "Double"]],
  ["tag=LOFI", ["Slow", "Double"]],
  ["tag=piano, 808", ["Slow", "Fast", "Double"]],
  ["tag=accordion", []],
  ["license=exclusive", ["Slow", "Fast", "Double", "Sharp", "Keyless"]],
  ["genre=999999", []],
  ["bpm_min=100&price_max=30&tag=808", ["Fast"]],
])("%s returns %j", async (query, expected) => {
  expect(await titles(query)).toEqual(expected);
  expect((await get(query)).data.pagination.total).toBe(expected.length);
});

test("several genres or producers return the beats of those that exist", async () => {
  expect(await titles(`genre=${genres.House},${genres.Dub},999999`)).toEqual(["Fast", "Double", "Sharp"]);
  const [producer] = await api.database.driver`select id from users where display_name = 'Kilo Volt'`;
  expect(await titles(`producer=${producer?.id},999999`)).toEqual(["Fast"]);
});

test("sort=bpm_desc and bpm_asc sort by the displayed bpm", async () => {
  expect(await titles("sort=bpm_desc")).toEqual(["Slow", "Keyless", "Fast", "Sharp", "Double"]);
  expect(await titles("sort=bpm_asc")).toEqual(["Double", "Sharp", "Fast", "Keyless", "Slow"]);
});

test("the license filter omits a beat whose exclusive license is held", async () => {
  const [id] = await insertBeats(api.database, [{ title: "Held", tempo: 200 }]);
  expect(await titles("bpm=200&license=basic,premium")).toEqual(["Held"]);
  await api.database.driver`
    update beats set exclusive_state = 'held', exclusive_order_id = 1, exclusive_held_until = now() where id = ${id}`;
  expect(await titles("bpm=200&license=basic,premium")).toEqual([]);
  expect(await titles("bpm=200")).toEqual(["Held"]);
  await api.database.driver`delete from beats where id = ${id}`;
});

/** The fields of an analysis, which these beats do not have. */
const noAnalysis = { waveform_url: null, analysis: null };

describe("400 with a remedy is the response to", () => {
  test.each([
    [
      "bpm_min=150&bpm_max=140",
      "The bpm_min parameter, 150, is more than bpm_max, 140; exchange them, or leave one out.",
    ],
    ["price_min=9.5&price_max=9", "The price_min parameter, 9.5, is more than price_max, 9;"],
    ["duration_min=2&duration_max=1", "The duration_min parameter, 2, is more than duration_max, 1;"],
    [
      "created_after=2026-01-02&created_before=2026-01-01",
      "The created_after parameter, 2026-01-02, is later than created_before, 2026-01-01; exchange them",
    ],
    ["bpm=140&bpm_min=130", "The bpm and bpm_min parameters exclude each other; send bpm with bpm_tolerance, or"],
    ["bpm=140&bpm_max=150", "The bpm and bpm_max parameters exclude each other;"],
    ["bpm_tolerance=5", "The bpm_tolerance parameter goes with bpm; send bpm, or leave it out."],
    ["half_double=true&bpm_min=70", "The half_double parameter goes with bpm;"],
    ["bpm=0", 'The bpm parameter must be an integer from 1 to 999. Given: "0".'],
    ["bpm_min=1000", "The bpm_min parameter must be an integer from 1 to 999."],
    ["bpm=140.5", "The bpm parameter must be a valid integer."],
    ["bpm=1&bpm_tolerance=51", 'The bpm_tolerance parameter must be a number from 0 to 50. Given: "51".'],
    ["bpm=1&half_double=yes", 'The half_double parameter must be one of true, false. Given: "yes".'],
    ["key=trap", 'The key parameter names "trap", which is not a key. Write a key as A minor, Am or 8A,'],
    ["key=Am,trap", 'The key parameter names "trap", which is not a key.'],
    ["key=C%23", 'The key parameter names the note "C#" without its mode; write C# major or C# minor.'],
    ["key=13A", 'The key parameter names "13A", which is not a key.'],
    ["key=", "The key parameter must not be empty."],
    ["key=Am,,C", "The key parameter has an empty item; put single commas between its items."],
    ["key=Am,Am", 'The key parameter names "Am" more than once.'],
    ["key_compatible=unknown", 'The key_compatible parameter names "unknown", which is not a key.'],
    ["key_compatible=Am,C", 'The key_compatible parameter names "Am,C", which is not a key.'],
    [
      "key=F%23m&key_compatible=Am",
      'The key and key_compatible parameters exclude each other: no key of "F#m" mixes with "Am"; leave one out.',
    ],
    ["price_min=1.999", "The price_min parameter must be a number from 0 to 21,474,836.47 with at most two decimals."],
    ["price_max=-1", "The price_max parameter must be a number from 0 to"],
    ["price_max=1e3", "The price_max parameter must be a number from 0 to"],
    ["price_max=free", 'Given: "free".'],
    ["duration_min=-1", "The duration_min parameter must be an integer from 0 to"],
    ["created_after=yesterday", "The created_after parameter must be an ISO 8601 time such as 2026-11-20T12:00:00Z"],
    ["created_after=2026-02-30", "The created_after parameter must be an ISO 8601 time"],
    ["created_before=2026-01-01T00:00:00", "The created_before parameter must be an ISO 8601 time"],
    ["created_before=2026-01-01T00:00:00+02:00", "write the + of an offset as %2B"],
    ["tag=", "The tag parameter must not be empty."],
    ["license=lease", 'The license parameter must be one of basic, premium, unlimited, exclusive. Given: "lease".'],
    ["genre=3,trap", 'The genre parameter must be a valid integer. Given: "trap".'],
    ["genre=3,3", "The genre parameter names 3 more than once."],
    ["genre=3,,4", "The genre parameter has an empty item;"],
    [`genre=${Array.from({ length: 101 }, (_, n) => n)}`, "The genre parameter may name at most 100; it names 101."],
    ["facets=genre,mood", 'The facets parameter must be one of genre, key, bpm, price, tag. Given: "mood".'],
    ["sort=relevance", "The sort parameter must be one of newest, popular, price_asc, price_desc, bpm_asc, bpm_desc."],
    ["fields=id,titel", 'The fields parameter names "titel", which is not a field. Did you mean title?'],
    ["fields=frobnicate", "The fields of this form are id, title, user_id,"],
    ["ids=1,first", 'The ids parameter must be a valid integer. Given: "first".'],
    ["ids=0", 'The ids parameter must be an integer from 1 to 9,007,199,254,740,991. Given: "0".'],
    ["ids=1,2,1", "The ids parameter names 1 more than once."],
    [`ids=${Array.from({ length: 101 }, (_, n) => n + 1)}`, "The ids parameter may name at most 100; it names 101."],
    ["ids=1&genre=3", "The ids parameter names the beats, so genre cannot choose among them; leave out genre, or ids."],
    ["ids=1&page=1", "so page cannot choose among them"],
    ["ids=1&limit=20", "so limit cannot choose among them"],
    ["ids=1&sort=newest", "so sort cannot choose among them"],
    ["ids=1&facets=key", "so facets cannot choose among them"],
  ])("%s", async (query, sentence) => {
    expect(await details(query)).toContain(sentence);
  });

  test("a field that only the other form has", async () => {
    expect(await details("fields=audio_preview")).toContain("The fields of this form are id, title, user_id,");
    const response = await api.get("/v1/beats?fields=audio_url", { accept: consoleType });
    expect(response.json().error.details).toContain('"audio_url", which is not a field.');
  });
});

describe("facets", () => {
  test("count every value exactly, in the documented order", async () => {
    const { facets } = (await get("facets=genre,key,bpm,price,tag")).data;
    expect(facets).toEqual({
      genre: [
        { value: { id: genres.Trap, name: "Trap" }, count: 2 },
        { value: { id: genres.House, name: "House" }, count: 2 },
        { value: { id: genres.Dub, name: "Dub" }, count: 1 },
      ],
      key: ["C major", "A minor", "E minor", "F# minor", ""].map((value) => ({ value, count: 1 })),
      bpm: [
        { value: 70, max: 79, count: 1 },
        { value: 90, max: 99, count: 1 },
        { value: 140, max: 149, count: 1 },
        { value: 150, max: 159, count: 1 },
        { value: 280, max: 289, count: 1 },
      ],
      price: [
        { value: 0, max: 19.99, count: 2 },
        { value: 20, max: 39.99, count: 1 },
        { value: 40, max: 59.99, count: 1 },
        { value: 100, max: 119.99, count: 1 },
      ],
      tag: [
        { value: "808", count: 2 },
        { value: "Lo-Fi", count: 2 },
        { value: "Piano", count: 1 },
      ],
    });
  });

  test("apply all filters but their own, on any page", async () => {
    const query = `genre=${genres.House}&bpm_min=145&facets=genre,bpm&limit=1&page=7`;
    const { beats, facets, pagination } = (await get(query)).data;
    expect([beats, pagination.total]).toEqual([[], 1]);
    expect(facets).toEqual({
      genre: [
        { value: { id: genres.House, name: "House" }, count: 1 },
        { value: { id: genres.Dub, name: "Dub" }, count: 1 },
      ].toSorted((a, b) => (a.value.id ?? 0) - (b.value.id ?? 0)),
      bpm: [
        { value: 140, max: 149, count: 1 },
        { value: 150, max: 159, count: 1 },
      ],
    });
  });

  test("of bpm and price are ranges that can be sent unchanged as filters", async () => {
    const { facets } = (await get("facets=bpm,price")).data;
    for (const [name, ranges] of Object.entries<{ value: number; max: number; count: number }[]>(facets))
      for (const { value, max, count } of ranges)
        expect((await get(`${name}_min=${value}&${name}_max=${max}`)).data.pagination.total).toBe(count);
  });

  test("are in meta in the console form, and absent unless requested", async () => {
    const { meta } = await get("facets=bpm&bpm=150&limit=3", consoleType);
    expect(meta).toMatchObject({ page: 1, limit: 3, total: 1, facets: { bpm: expect.any(Array) } });
    expect(Object.keys(meta.facets)).toEqual(["bpm"]);
    expect(Object.keys((await get("")).data)).toEqual(["beats", "pagination"]);
    expect(Object.keys((await get("", consoleType)).meta)).toEqual(["page", "limit", "total"]);
  });

  test("stay in the addresses of the neighbouring pages, like every filter", async () => {
    const query = "bpm_min=70&key_compatible=8A&tag=lofi,808&fields=id&facets=key&limit=1&sort=bpm_asc";
    const { pagination } = (await get(query)).data;
    const next = new URL(pagination.next_page_url);
    expect(decodeURIComponent(next.search)).toMatch(`?${query}&page=2&after=`);
    const second = (await api.get(next.pathname + next.search)).json().data;
    expect(second.beats).toEqual([{ id: ids.Fast }]);
    expect(second.facets).toEqual((await get(query)).data.facets);
  });
});

describe("ids", () => {
  test("return these beats in this order with all details, including sold beats, and list the missing ids", async () => {
    const sold = ids.Keyless ?? 0;
    await api.database.query
      .updateTable("beats")
      .set({ is_listed: false, exclusive_state: "sold", exclusive_order_id: 1 })
      .where("id", "=", sold)
      .execute();
    const requestedIds = [ids.Sharp, 999_999, sold, ids.Slow, 9_007_199_254_740_991];
    const { beats, missing, pagination } = (await get(`ids=${requestedIds.join(",")}`)).data;
    const single = await Promise.all(
      [ids.Sharp, sold, ids.Slow].map(async (id) => (await api.get(`/v1/beats/${id}`)).json().data.beat),
    );
    expect(beats.map((beat: object) => ({ ...beat, ...noAnalysis }))).toEqual(single);
    expect(missing).toEqual([999_999, 9_007_199_254_740_991]);
    expect(pagination).toEqual({
      total: 3,
      per_page: 5,
      current_page: 1,
      last_page: 1,
      next_page_url: null,
      prev_page_url: null,
    });
    await api.database.query
      .updateTable("beats")
      .set({ is_listed: true, exclusive_state: "available", exclusive_order_id: null })
      .where("id", "=", sold)
      .execute();
  });

  test("return the same in the console form, with an empty list of missing ids", async () => {
    const { data, meta } = await get(`ids=${ids.Fast}`, consoleType);
    const single = (await api.get(`/v1/beats/${ids.Fast}`, { accept: consoleType })).json().data;
    expect([{ ...data[0], ...noAnalysis }]).toEqual([single]);
    expect(meta).toEqual({ page: 1, limit: 1, total: 1, missing: [] });
  });
});

describe("fields", () => {
  test("reduce each beat to the named fields, in either form", async () => {
    expect((await get("bpm=150&fields=bpm,id,genre")).data.beats).toEqual([
      { id: ids.Sharp, genre: { id: genres.House, name: "House" }, bpm: 150 },
    ]);
    expect((await get("bpm=150&fields=id,producer,length", consoleType)).data).toEqual([
      { id: ids.Sharp, producer: "Nightowl", length: "0:00" },
    ]);
  });

  test("may name the fields of a single beat, for beats on sale and for beats by ids", async () => {
    const [{ tags }] = (await get("bpm=70&fields=tags")).data.beats;
    expect(tags).toEqual(["Lo-Fi", "Piano"]);
    expect((await get(`ids=${ids.Slow}&fields=title,updated_at`)).data.beats).toEqual([
      { title: "Slow", updated_at: expect.any(String) },
    ]);
  });
});

test("a filtered response has an ETag, and shows a later insertion", async () => {
  const url = "/v1/beats?bpm_min=60&facets=tag&sort=bpm_asc&fields=title";
  const first = await api.get(url);
  await api.get(url);
  const { etag } = first.headers;
  expect((await api.get(url, { headers: { "if-none-match": String(etag) } })).statusCode).toBe(304);
  await insertBeats(api.database, [{ title: "Fresh", tempo: 61 }]);
  await expect.poll(async () => (await api.get(url)).json().data.beats[0]).toEqual({ title: "Fresh" });
});
