import { beforeAll, describe, expect, test } from "vitest";
import { grouped, type Hit, rankEntries, type SearchEntry } from "../src/shell/search/ranking.ts";
import { openIndex, type SearchIndex, searchCalls, searchDocs } from "../src/shell/search/search-docs.ts";
import { readDocuments } from "./read.ts";
import { searchIndex } from "./search-index.ts";

let index: SearchIndex;

beforeAll(async () => {
  // As it comes into the browser.
  index = openIndex(JSON.parse(JSON.stringify(await searchIndex(await readDocuments()))));
});

const best = (query: string): string | undefined => searchDocs(index, query)[0]?.address;

describe("docs", () => {
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
  ])("by %j", (query, address) => {
    expect(best(query)).toMatch(address);
  });

  test("are found while a word is typed, and with a letter wrong", () => {
    expect(best("paginat")).toMatch(/#pagination$/);
    expect(best("paginaton")).toMatch(/#pagination$/);
  });

  test("that have some of the words come where none has all", () => {
    expect(searchDocs(index, "pagination zzzzqqqq").length).toBeGreaterThan(0);
    expect(searchDocs(index, "zzzzqqqq")).toEqual([]);
  });

  test("say where the words are", () => {
    const [hit] = searchDocs(index, "constant time");
    expect(hit?.excerpt?.toLowerCase()).toMatch(/constant|time/);
    expect(hit?.excerpt?.length).toBeLessThan(200);
  });

  test("for operators come after those for users", () => {
    const operators = searchDocs(index, "webhook").map(({ address }) =>
      /docs\/(operating|scaling|security)/.test(address ?? ""),
    );
    expect(operators[0]).toBe(false);
  });
});

describe("calls", () => {
  test.each([
    ["getBeat", "getBeat"],
    ["GET /beats", "listBeats"],
    ["POST /orders", "createOrder"],
    ["/users/me/sales.csv", "exportSales"],
    ["withdraw", "withdrawBeat"],
    ["similar", "listSimilarBeats"],
    ["list genres", "listGenres"],
  ])("by %j", (query, id) => {
    expect(searchCalls(index, query)[0]?.id).toBe(id);
  });

  test("have their address in the reference", () => {
    expect(searchCalls(index, "createOrder")[0]?.address).toBe("/explorer/orders#createOrder");
  });
});

describe("what is named", () => {
  const named = (title: string, detail = "", keywords = ""): SearchEntry => ({
    group: "Go to",
    id: title,
    title,
    detail,
    keywords,
  });
  const pages = [
    named("API keys"),
    named("Create an API key", "", "new secret"),
    named("Webhooks"),
    named("Sign out", "", "log out"),
  ];
  const found = (query: string) => rankEntries(query, pages, 9).map(({ title }) => title);

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
  ])("by %j", (query, titles) => {
    expect(found(query)).toEqual(titles);
  });

  test("is no more than asked for", () => {
    expect(rankEntries("a", pages, 1)).toHaveLength(1);
  });
});

test("groups stand in the order of their best hit, beats last", () => {
  const hit = (group: Hit["group"], score: number): Hit => ({ group, id: String(score), title: "", detail: "", score });
  const groups = grouped([
    hit("Docs", 0.4),
    hit("Calls", 0.9),
    hit("Beats", 1),
    hit("Docs", 0.95),
    hit("API keys", 0.5),
  ]);
  // A group's own hits come in order: its first is its best.
  expect(groups.map(({ group }) => group)).toEqual(["Calls", "API keys", "Docs", "Beats"]);
  expect(groups.find(({ group }) => group === "Docs")?.hits).toHaveLength(2);
});
