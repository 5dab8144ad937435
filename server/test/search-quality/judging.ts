import { readFileSync } from "node:fs";
import type { SearchQuery, SearchResult } from "@beatmarket/catalogue-index/query.ts";
import { parseKey } from "@beatmarket/foundation/music/musical-key.ts";
import { foldWhole } from "@beatmarket/foundation/text/search-words.ts";
import type { FileCatalogue } from "./catalogue-file.ts";

/** A query, and the required results among its first five hits (README.md). */
export interface Expectation {
  query: string;
  /** Whether at least one hit, or every hit, must match one of the alternatives. */
  quantity: "some" | "every";
  alternatives: string[];
}

export interface Miss {
  query: string;
  expected: string;
  /** The actual first hits. */
  first: string[];
}

const judged = 5;

export function readExpectations(path: string): Expectation[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.includes(" => "))
    .map((line) => {
      const [query = "", expected = ""] = line.split(" => ");
      const isEvery = expected.startsWith("every ");
      return {
        query,
        quantity: isEvery ? "every" : "some",
        alternatives: expected.replace(/^every /, "").split(" | "),
      };
    });
}

/** Runs every query. Returns the queries without the expected hits. */
export async function missesOf(
  search: (query: SearchQuery) => SearchResult | Promise<SearchResult>,
  catalogue: FileCatalogue,
  expectations: readonly Expectation[],
): Promise<Miss[]> {
  const misses: Miss[] = [];
  for (const { query, quantity, alternatives } of expectations) {
    const { hits } = await search({
      text: query,
      kinds: ["beats", "producers"],
      interpret: true,
      filters: {},
      offset: 0,
      limit: judged,
    });
    const first = hits.slice(0, judged).map((hit) => factsOf(hit, catalogue));
    const isRight = (facts: Facts) => alternatives.some((alternative) => fits(facts, alternative));
    const isMet = quantity === "every" ? first.length > 0 && first.every(isRight) : first.some(isRight);
    if (!isMet) misses.push({ query, expected: alternatives.join(" | "), first: first.map(factsText) });
  }
  return misses;
}

interface Facts {
  title?: string;
  producer: string;
  genre?: string;
  tags: readonly string[];
  bpm?: number;
  priceCents?: number;
  keyCode?: number;
}

function factsOf({ kind, id }: SearchResult["hits"][number], { beats, producers }: FileCatalogue): Facts {
  if (kind === "producer") return { producer: producers.get(id) ?? "", tags: [] };
  const beat = beats.get(id);
  if (beat === undefined) throw new Error(`There is no beat ${id}.`);
  const { title, producer, genre, tags, tempo, keyCode, priceCents } = beat;
  return { title, producer, genre, tags, bpm: Math.round(tempo), keyCode, priceCents };
}

const factsText = ({ title, producer, genre, bpm }: Facts): string =>
  title === undefined ? `@${producer}` : `${title} / ${producer} (${genre}, ${bpm})`;

/** `@Name`, `Title / Name`, `Title`, or conditions: has:text by:Name bpm:120 bpm:138-142 key:A minor price:0-20. */
function fits(facts: Facts, expected: string): boolean {
  if (expected.startsWith("@"))
    return facts.title === undefined && foldWhole(facts.producer) === foldWhole(expected.slice(1));
  if (/^(has|by|bpm|key|price):/.test(expected))
    return expected.split(/ (?=(?:has|by|bpm|key|price):)/).every((condition) => meets(facts, condition));
  const [title = "", producer] = expected.split(" / ");
  return (
    facts.title !== undefined &&
    foldWhole(facts.title).startsWith(foldWhole(title)) &&
    (producer === undefined || foldWhole(facts.producer) === foldWhole(producer))
  );
}

function meets(facts: Facts, condition: string): boolean {
  const [name, value = ""] = condition.split(":");
  const { title = "", producer, genre = "", tags, bpm, keyCode, priceCents } = facts;
  if (name === "has")
    return [title, producer, genre, ...tags].some((text) => foldWhole(text).includes(foldWhole(value)));
  if (name === "by") return foldWhole(producer) === foldWhole(value);
  if (name === "key") return keyCode === parseKey(value).keyCode;
  const [min = 0, max = min] = value.split("-").map(Number);
  if (name === "price") return priceCents !== undefined && priceCents >= min * 100 && priceCents <= max * 100;
  return bpm !== undefined && bpm >= min && bpm <= max;
}
