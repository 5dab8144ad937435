import type { SearchHit } from "@beatmarket/catalogue-index/query.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { consoleType, publicUrl, testApi } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { BeatCatalogue } from "../beats/catalogue/beat-catalogue.ts";
import { searchConsole, searchPage, searchReference } from "./search-page.ts";

const api = await testApi();
let ids: number[] = [];

beforeAll(async () => {
  ids = await insertBeats(
    api.database,
    Array.from({ length: 7 }, (_, n) => ({
      title: `Dusk ${n}`,
      producer: `Dusk Maker ${n % 3}`,
      tempo: 100 + n * 10,
      key: n % 2 === 0 ? "Am" : "C major",
      tags: n > 4 ? ["guitar"] : [],
      priceCents: 1000 * n,
    })),
  );
});

const get = async (query: string, accept?: string) =>
  (await api.get(`/v1/search?${query}`, accept === undefined ? {} : { accept })).json();

describe("pages", () => {
  test("have up to `limit` of each type and exact totals; the longer list determines the last page", async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map(async (page) => (await get(`q=dusk&limit=2&page=${page}`)).data),
    );
    expect(pages.map(({ beats, producers }) => [beats.length, producers.length])).toEqual([
      [2, 2],
      [2, 1],
      [2, 0],
      [1, 0],
      [0, 0],
    ]);
    for (const { totals, pagination } of pages) {
      expect(totals).toEqual({ beats: 7, producers: 3 });
      expect(pagination).toMatchObject({ total: 10, per_page: 2, last_page: 4 });
    }
    const beats = pages.flatMap((page) => page.beats.map(({ id }: { id: number }) => id));
    expect(beats.toSorted()).toEqual(ids.toSorted());
    expect(pages[3].pagination.next_page_url).toBeNull();
    expect(pages[4].pagination.prev_page_url).toContain("page=4");
  });

  test("have every parameter in the addresses of other pages", async () => {
    const query = "q=dusk&type=beats&bpm_min=110&sort=price_desc&fields=id&facets=key&interpret=false&limit=3";
    const { pagination } = (await get(query)).data;
    expect(new URL(pagination.next_page_url).search).toBe(`?${query}&page=2`);
    const second = (await get(`${query}&page=2`)).data;
    expect(second.beats).toEqual([ids[3], ids[2], ids[1]].map((id) => ({ id })));
  });

  test("are one list in the console form, with the totals in meta", async () => {
    const { data, meta } = await get("q=dusk&limit=2", consoleType);
    expect(data.map(({ type }: { type: string }) => type)).toEqual(["producer", "producer", "beat", "beat"]);
    expect(meta).toEqual({
      page: 1,
      limit: 2,
      total: 10,
      totals: { beats: 7, producers: 3 },
      interpreted: { q: "dusk" },
    });
  });

  test.each([
    ["beats", { beats: 7, producers: 0 }],
    ["producers", { beats: 0, producers: 3 }],
  ])("of type=%s have an empty list of the other type", async (type, totals) => {
    const { data } = await get(`q=dusk&type=${type}`);
    expect(data.totals).toEqual(totals);
    expect([data.beats.length, data.producers.length]).toEqual([totals.beats, totals.producers]);
  });
});

describe("filters", () => {
  test("apply to beats, and not to producers", async () => {
    const { data } = await get("q=dusk&bpm=130&bpm_tolerance=8&key_compatible=8A&sort=bpm_desc");
    expect(data.beats.map(({ bpm }: { bpm: number }) => bpm)).toEqual([140, 130, 120]);
    expect(data.totals).toEqual({ beats: 3, producers: 3 });
  });

  test("can be combined with facets, in both forms", async () => {
    const facets = { tag: [{ value: "guitar", count: 2 }] };
    expect((await get("q=dusk&facets=tag")).data.facets).toEqual(facets);
    expect((await get("q=dusk&facets=tag", consoleType)).meta.facets).toEqual(facets);
  });
});

describe("fields", () => {
  test("reduce beats and producers to the requested fields", async () => {
    const { data } = await get("q=dusk 6 dusk maker&fields=id,title,tags,display_name");
    expect(data.beats).toEqual([{ id: ids[6], title: "Dusk 6", tags: ["guitar"] }]);
    const { producers } = (await get("q=dusk maker 1&type=producers&fields=display_name")).data;
    expect(producers).toEqual([{ display_name: "Dusk Maker 1" }]);
  });

  test("do not remove the type of a hit in the console form", async () => {
    const { data } = await get("q=dusk&limit=1&fields=id", consoleType);
    expect(data.map((hit: object) => Object.keys(hit))).toEqual([
      ["type", "id"],
      ["type", "id"],
    ]);
  });
});

describe("the interpretation", () => {
  test("has the text and the filters that were found, and is absent with interpret=false", async () => {
    expect((await get("q=%20dusk%20")).data.interpreted).toEqual({ q: "dusk" });
    expect((await get("q=dusk 100 bpm")).data).toMatchObject({
      interpreted: { q: "dusk", bpm_min: 100, bpm_max: 100 },
      totals: { beats: 1 },
    });
    expect((await get("q=dusk 100 bpm&interpret=false")).data).not.toHaveProperty("interpreted");
  });

  const interpretation = {
    text: "dusk",
    bpm: { min: 138, max: 142 },
    keys: [12, 0],
    widened: { "140": "138-142" },
    corrected: { dsuk: "dusk" },
    ignored: ["the"],
  };
  const answerOf = (hits: SearchHit[]) =>
    searchPage(
      {
        index: { search: async () => ({ hits, totals: { beats: hits.length, producers: 0 }, interpretation }) },
        catalogue: new BeatCatalogue(api.database, new CatalogueVersion()),
      },
      { q: "the dsuk 138-142 8A c major", type: "all", sort: "relevance", page: 1, limit: 20, interpret: true },
      new Set(["id"]),
    );
  const context = { publicUrl, path: "/v1/search", query: "" };

  test("has names and values that can be sent as parameters, and is equal in both forms", async () => {
    const page = await answerOf([]);
    const { interpreted } = searchReference(page, context);
    expect(interpreted).toEqual({
      q: "dusk",
      bpm_min: 138,
      bpm_max: 142,
      key: "A minor,C major",
      widened: { "140": "138-142" },
      corrected: { dsuk: "dusk" },
      ignored: ["the"],
    });
    expect(searchConsole(page, context).meta.interpreted).toEqual(interpreted);
    const parameters = new URLSearchParams({ q: "dusk", bpm_min: "138", bpm_max: "142", key: "A minor,C major" });
    expect((await get(String(parameters))).status).toBe("success");
  });

  test("can come with hits whose rows are gone; the page omits these hits", async () => {
    const page = await answerOf([
      { kind: "beat", id: 999_999 },
      { kind: "beat", id: ids[3] ?? 0 },
    ]);
    expect(searchReference(page, context).beats).toEqual([{ id: ids[3] }]);
  });
});

describe("the API answers 400 with the remedy to", () => {
  test.each([
    ["type=beats", "The q parameter is required."],
    ["q=", "The q parameter must not be empty."],
    ["q=%20", "The q parameter must not be empty."],
    ["q=a%00", "The q parameter must not contain control characters"],
    [`q=${"🔥".repeat(201)}`, "The q parameter may have at most 200 characters; it has 201."],
    ["q=a&limit=51", "The limit parameter must be an integer from 1 to 50."],
    [
      "q=a&sort=loudest",
      "The sort parameter must be one of relevance, newest, popular, price_asc, price_desc, bpm_asc, bpm_desc.",
    ],
    ["q=a&interpret=no", "The interpret parameter must be one of true, false."],
    ["q=a&bpm_min=3&bpm_max=2", "The bpm_min parameter, 3, is more than bpm_max, 2;"],
    ["q=a&key=trap", 'The key parameter names "trap", which is not a key.'],
    ["q=a&facets=mood", "The facets parameter must be one of genre, key, bpm, price, tag."],
    ["q=a&fields=display_nam", "Did you mean display_name?"],
    ["q=a&ids=1", 'Unknown parameter "ids".'],
    ["q=a&after=aaaaaaaaaaaa", 'Unknown parameter "after".'],
    [
      "q=a&type=producers&bpm=140",
      "The bpm parameter concerns beats, and type=producers finds none; leave bpm out, or search type=beats.",
    ],
    ["q=a&type=producers&sort=relevance", "The sort parameter concerns beats,"],
    ["q=a&type=producers&facets=key", "The facets parameter concerns beats,"],
  ])("%s", async (query, sentence) => {
    const response = await api.get(`/v1/search?${query}`);
    expect(response.statusCode).toBe(400);
    expect(response.json().error.details).toContain(sentence);
  });
});

test.each(["dusk' | 'x", "dusk:*A", "!dusk", "(dusk", "%_", "???", "&", "\u200b", "東".repeat(200)])(
  "accepts any text: %j",
  async (q) => {
    expect((await api.get(`/v1/search?${new URLSearchParams({ q })}`)).statusCode).toBe(200);
  },
);
