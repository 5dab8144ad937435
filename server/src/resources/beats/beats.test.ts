import { beforeAll, describe, expect, it, test } from "vitest";
import { consoleType, publicUrl, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";

const api = await testApi();
let ids: number[] = [];

beforeAll(async () => {
  ids = await insertBeats(api.database, [
    {
      title: "Low",
      genre: "Trap",
      producer: "Nightowl",
      tempo: 139.6,
      priceCents: 2990,
      playCount: 9,
      createdAt: "2025-01-01T10:00:00Z",
      durationSeconds: 3725,
    },
    {
      title: "Mid",
      genre: "House",
      producer: "Kilo Volt",
      tempo: 0.2,
      priceCents: 1999,
      playCount: 50,
      createdAt: "2025-01-02T10:00:00Z",
    },
    {
      title: "Top",
      genre: "Trap",
      producer: "Kilo Volt",
      tempo: 140,
      priceCents: 10000,
      playCount: 9,
      popularity: 3,
      createdAt: "2024-01-01T10:00:00Z",
    },
  ]);
});

const titles = async (query: string): Promise<string[]> =>
  (await api.get(`/v1/beats${query}`)).json().data.beats.map((beat: { title: string }) => beat.title);
const idOf = async (table: "genres" | "users", name: string): Promise<number> => {
  const [row] = await api.database.driver<{ id: number }[]>`
    select id from ${api.database.driver(table)} where ${api.database.driver(table === "genres" ? "name" : "display_name")} = ${name}`;
  if (row === undefined) throw new Error(`No ${name} in ${table}.`);
  return row.id;
};

describe("GET /beats", () => {
  it("returns exactly the documented fields of the reference form", async () => {
    const response = await api.get("/v1/beats");
    const beat = response.json().data.beats[1];
    expect(beat).toEqual({
      id: ids[0],
      title: "Low",
      user_id: await idOf("users", "Nightowl"),
      producer_name: "Nightowl",
      genre: { id: await idOf("genres", "Trap"), name: "Trap" },
      price: 29.9,
      duration: 3725,
      bpm: 140,
      key: "",
      audio_url: `${publicUrl}/media/beats/${ids[0]}.wav`,
      cover_image: `${publicUrl}/media/beats/${ids[0]}.svg`,
      created_at: "2025-01-01T10:00:00Z",
      play_count: 9,
      download_count: 0,
    });
    expect(Object.keys(response.json())).toEqual(["status", "data"]);
    expect(response.json().data.pagination).toEqual({
      total: 3,
      per_page: 20,
      current_page: 1,
      last_page: 1,
      next_page_url: null,
      prev_page_url: null,
    });
  });

  it("returns exactly the documented fields of the console form", async () => {
    const { success, data, meta } = (await api.get("/v1/beats", { accept: consoleType })).json();
    expect({ success, meta }).toEqual({ success: true, meta: { page: 1, limit: 20, total: 3 } });
    expect(data[1]).toEqual({
      id: ids[0],
      title: "Low",
      producer: "Nightowl",
      price: 29.9,
      genre: { id: await idOf("genres", "Trap"), name: "Trap", slug: "trap" },
      bpm: 140,
      key: "",
      length: "62:05",
      cover_image: `${publicUrl}/media/beats/${ids[0]}.svg`,
      audio_preview: `${publicUrl}/media/beats/${ids[0]}.wav`,
      created_at: "2025-01-01T10:00:00Z",
    });
    expect(data[0].length).toBe("0:00");
    expect(data[0].bpm).toBe(1);
  });

  it("sorts by date, plays and price, newest by default", async () => {
    expect(await titles("")).toEqual(["Mid", "Low", "Top"]);
    expect(await titles("?sort=newest")).toEqual(["Mid", "Low", "Top"]);
    expect(await titles("?sort=popular")).toEqual(["Mid", "Top", "Low"]);
    expect(await titles("?sort=price_asc")).toEqual(["Mid", "Low", "Top"]);
    expect(await titles("?sort=price_desc")).toEqual(["Top", "Low", "Mid"]);
  });

  it("filters by genre and producer, with true totals", async () => {
    const trap = await idOf("genres", "Trap");
    const kilo = await idOf("users", "Kilo Volt");
    expect(await titles(`?genre=${trap}`)).toEqual(["Low", "Top"]);
    expect(await titles(`?producer=${kilo}`)).toEqual(["Mid", "Top"]);
    expect(await titles(`?producer=${kilo}&genre=${trap}`)).toEqual(["Top"]);
    for (const query of [`?genre=${trap}`, `?producer=${kilo}`])
      expect((await api.get(`/v1/beats${query}`)).json().data.pagination.total).toBe(2);
    expect((await api.get(`/v1/beats?producer=${kilo}&genre=${trap}`)).json().data.pagination.total).toBe(1);
  });

  it.each(["genre=999999", "producer=999999", "genre=-1", "producer=99999999999999999999"])(
    "returns no beats for %s, which does not exist",
    async (query) => {
      const { data } = (await api.get(`/v1/beats?${query}`)).json();
      expect(data).toEqual({
        beats: [],
        pagination: { total: 0, per_page: 20, current_page: 1, last_page: 1, next_page_url: null, prev_page_url: null },
      });
    },
  );

  it.each(["/v1", "/api/v1"])(
    "links to the neighbouring pages under %s, with the same filters and limit",
    async (prefix) => {
      const trap = await idOf("genres", "Trap");
      const first = (await api.get(`${prefix}/beats?genre=${trap}&limit=1&sort=newest`)).json().data.pagination;
      const next = new URL(first.next_page_url);
      expect(next.origin + next.pathname).toBe(`${publicUrl}${prefix}/beats`);
      expect(Object.fromEntries(next.searchParams)).toEqual({
        genre: String(trap),
        limit: "1",
        sort: "newest",
        page: "2",
        after: expect.any(String),
      });
      const second = (await api.get(next.pathname + next.search)).json().data;
      expect(second.beats[0].title).toBe("Top");
      expect(second.pagination).toMatchObject({ current_page: 2, last_page: 2, next_page_url: null });
      const previous = new URL(second.pagination.prev_page_url);
      expect((await api.get(previous.pathname + previous.search)).json().data.beats[0].title).toBe("Low");
    },
  );

  it("returns no beats past the end, with the true total", async () => {
    const { data } = (await api.get("/v1/beats?page=50")).json();
    expect(data.beats).toEqual([]);
    expect(data.pagination).toMatchObject({ total: 3, current_page: 50, last_page: 1, next_page_url: null });
  });

  it("answers 400 for a genre that is not an integer, with details that say so", async () => {
    const response = await api.get("/v1/beats?genre=trap");
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({
      status: "error",
      error: {
        code: "invalid_request",
        message: "Invalid request",
        details: expect.stringContaining("The genre parameter must be a valid integer."),
      },
    });
  });

  it("answers 400 for an after token of another page", async () => {
    const { next_page_url } = (await api.get("/v1/beats?limit=1")).json().data.pagination;
    const { searchParams } = new URL(next_page_url);
    const response = await api.get(`/v1/beats?limit=1&page=3&after=${searchParams.get("after")}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toMatch(/after parameter/);
  });

  it("shows later writes, though responses are cached", async () => {
    const before = await api.get("/v1/beats?limit=100&sort=price_asc");
    const again = await api.get("/v1/beats?limit=100&sort=price_asc");
    expect(again.body).toBe(before.body);
    const [id] = await insertBeats(api.database, [{ title: "Fresh", priceCents: 100 }]);
    await expect
      .poll(async () => (await api.get("/v1/beats?limit=100&sort=price_asc")).json().data.beats[0].id)
      .toBe(id);
    await api.database.query
      .updateTable("beats")
      .set({ is_listed: false })
      .where("id", "=", id ?? 0)
      .execute();
    await expect
      .poll(async () => (await api.get("/v1/beats?limit=100&sort=price_asc")).json().data.pagination.total)
      .toBe(3);
  });
});

describe("GET /beats/{beat_id}", () => {
  it("adds description, tags, licenses, updated_at and the analysis to the list form", async () => {
    const { beat } = (await api.get(`/v1/beats/${ids[0]}`)).json().data;
    const listed = (await api.get("/v1/beats")).json().data.beats[1];
    expect(beat).toEqual({
      ...listed,
      description: "",
      tags: [],
      licenses: [
        { type: "basic", price: 29.9, available: true },
        { type: "premium", price: 59.8, available: true },
        { type: "unlimited", price: 119.6, available: true },
        { type: "exclusive", price: 598, available: true },
      ],
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      waveform_url: null,
      analysis: null,
    });
  });

  it("answers 404 for a beat that was withdrawn", async () => {
    const [id = 0] = await insertBeats(api.database, [{ title: "Withdrawn" }]);
    await api.database.query.updateTable("beats").set({ is_listed: false }).where("id", "=", id).execute();
    expect((await api.get(`/v1/beats/${id}`)).statusCode).toBe(404);
  });

  it("returns a beat whose exclusive license is sold, with no license available", async () => {
    const [id] = await insertBeats(api.database, [{ title: "Gone" }]);
    await api.database.query
      .updateTable("beats")
      .set({ is_listed: false, exclusive_state: "sold", exclusive_order_id: 1 })
      .where("id", "=", id ?? 0)
      .execute();
    const { beat } = (await api.get(`/v1/beats/${id}`)).json().data;
    expect(beat.licenses.map((license: { available: boolean }) => license.available)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(await titles("")).not.toContain("Gone");
  });

  it.each(["0", "-1", "999999", "9223372036854775808", "9".repeat(90)])(
    "answers 404 for %s, which does not exist",
    async (id) => {
      const response = await api.get(`/v1/beats/${id}`);
      expect(response.statusCode).toBe(404);
      expect(response.json().error).toMatchObject({
        code: "not_found",
        details: expect.stringMatching(/does not exist/),
      });
    },
  );

  it.each(["first", "1.5", "1e3", "0x1", "%20", "1%00", "--1", "null"])(
    "answers 400 for %s, which is not an integer",
    async (id) => {
      const response = await api.get(`/v1/beats/${id}`);
      expect(response.statusCode).toBe(400);
      expect(response.json().error.details).toMatch(/beat_id parameter must be a valid integer/);
    },
  );
});

test("an id of 12,000 digits is 404, another text of this length 400, and with an invalid API key 401", async () => {
  const status = async (id: string, key = api.key) => (await api.get(`/v1/beats/${id}`, { key })).statusCode;
  expect(await status("9".repeat(12_000))).toBe(404);
  expect(await status("x".repeat(12_000))).toBe(400);
  expect(await status("x".repeat(12_000), "bm_nonsense")).toBe(401);
});

describe("GET /beats/{beat_id}/similar", () => {
  it("returns beats in list form with an explanation, best first", async () => {
    const { beats } = (await api.get(`/v1/beats/${ids[0]}/similar`)).json().data;
    expect(beats.length).toBeGreaterThan(0);
    expect(beats.length).toBeLessThanOrEqual(5);
    expect(beats[0]).toMatchObject({
      title: "Top",
      similarity: { tempo_ratio: 1, same_genre: true, key_relation: "other" },
    });
    expect(Object.keys(beats[0].similarity)).toEqual([
      "score",
      "tempo_ratio",
      "bpm_difference_percent",
      "key_relation",
      "same_genre",
    ]);
  });

  it.each(["0", "21", "-3", "x"])("answers 400 for limit=%s, and says what the parameter must be", async (limit) => {
    const response = await api.get(`/v1/beats/${ids[0]}/similar?limit=${limit}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toMatch(/limit parameter must be/);
  });

  it("answers 404 for a beat that does not exist", async () => {
    expect((await api.get("/v1/beats/999999/similar")).statusCode).toBe(404);
  });
});
