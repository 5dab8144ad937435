import { beforeAll, describe, expect, test } from "vitest";
import { groupHits, type Hit, rankEntries, type SearchEntry } from "../src/shell/search/ranking.ts";
import { openIndex, type SearchIndex, searchCalls, searchDocs } from "../src/shell/search/search-docs.ts";
import { readDocuments } from "./read.ts";
import { searchIndex } from "./search-index.ts";

let index: SearchIndex;

beforeAll(async () => {
  // The round trip through JSON gives the index that a browser loads.
  index = openIndex(JSON.parse(JSON.stringify(await searchIndex(await readDocuments()))));
});

const best = (query: string): string | undefined => searchDocs(index, query)[0]?.address;

describe("the search in documents", () => {
  test.each([
    ["verify signature", /\/(webhooks#(verifying|when-the-signature)|api\/events#signatures)/],
    ["when your receiver is down", /^\/portal\/docs\/webhooks#when-your-receiver-is-down$/],
    ["idempotency", /idempot/],
    ["similar beats", /similar/],
    ["glossary", /^\/portal\/docs\/glossary/],
    ["order states", /^\/portal\/docs\/api\/orders#order-states$/],
    ["limits", /^\/portal\/docs\/api\/limits$/],
    ["errors", /^\/portal\/docs\/api\/errors/],
    ["pagination", /^\/portal\/docs\/api\/conventions#pagination$/],
    ["kubernetes", /^\/portal\/docs\/deploying#kubernetes$/],
  ])("has the expected first result for %j", (query, address) => {
    expect(best(query)).toMatch(address);
  });

  test("finds an incomplete word, and a word that lacks a letter", () => {
    expect(best("paginat")).toMatch(/#pagination$/);
    expect(best("paginaton")).toMatch(/#pagination$/);
  });

  test("finds documents with some of the words if no document has all", () => {
    expect(searchDocs(index, "pagination zzzzqqqq").length).toBeGreaterThan(0);
    expect(searchDocs(index, "zzzzqqqq")).toEqual([]);
  });

  test("returns an excerpt of less than 200 characters with one of the words", () => {
    const [hit] = searchDocs(index, "constant time");
    expect(hit?.excerpt?.toLowerCase()).toMatch(/constant|time/);
    expect(hit?.excerpt?.length).toBeLessThan(200);
  });

  test("ranks a document for users first if documents for operators have the word, too", () => {
    const areForOperators = searchDocs(index, "webhook").map(({ address }) =>
      /docs\/(operating|scaling|security)/.test(address ?? ""),
    );
    expect(areForOperators[0]).toBe(false);
  });
});

describe("the search in calls", () => {
  test.each([
    ["getBeat", "getBeat"],
    ["GET /beats", "listBeats"],
    ["POST /orders", "createOrder"],
    ["/users/me/sales.csv", "exportSales"],
    ["withdraw", "withdrawBeat"],
    ["similar", "listSimilarBeats"],
    ["list genres", "listGenres"],
  ])("has the expected first result for %j", (query, id) => {
    expect(searchCalls(index, query)[0]?.id).toBe(id);
  });

  test("returns the call's address in the reference", () => {
    expect(searchCalls(index, "createOrder")[0]?.address).toBe("/explorer/orders#createOrder");
  });
});

describe("the search in names", () => {
  const entry = (title: string, detail = "", keywords = ""): SearchEntry => ({
    group: "Go to",
    id: title,
    title,
    detail,
    keywords,
  });
  const pages = [
    entry("API keys"),
    entry("Create an API key", "", "new secret"),
    entry("Webhooks"),
    entry("Sign out", "", "log out"),
  ];
  const titlesFor = (query: string) => rankEntries(query, pages, 9).map(({ title }) => title);

  test.each([
    ["webhooks", ["Webhooks"]],
    ["web", ["Webhooks"]],
    ["api key", ["Create an API key", "API keys"]],
    ["create key", ["Create an API key"]],
    ["new secret", ["Create an API key"]],
    ["log out", ["Sign out"]],
    ["key webhooks", []],
    ["", []],
    [" / ", []],
  ])("finds the expected entries for %j", (query, titles) => {
    expect(titlesFor(query)).toEqual(titles);
  });

  test("returns at most the requested number of entries", () => {
    expect(rankEntries("a", pages, 1)).toHaveLength(1);
  });
});

test("groups are sorted by their first hit, and beats are last", () => {
  const hit = (group: Hit["group"], score: number): Hit => ({ group, id: String(score), title: "", detail: "", score });
  const groups = groupHits([
    hit("Docs", 0.4),
    hit("Calls", 0.9),
    hit("Beats", 1),
    hit("Docs", 0.95),
    hit("API keys", 0.5),
  ]);
  // Callers pass each group's hits sorted, so only a group's first hit is compared: 0.4 of Docs, not 0.95.
  expect(groups.map(({ group }) => group)).toEqual(["Calls", "API keys", "Docs", "Beats"]);
  expect(groups.find(({ group }) => group === "Docs")?.hits).toHaveLength(2);
});
