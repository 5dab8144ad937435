import { rankOf } from "@beatmarket/catalogue-index/engine/search/ranked.ts";
import type { RequiredWord } from "@beatmarket/catalogue-index/engine/search/reading.ts";
import type {
  Facets,
  Interpretation,
  SearchHit,
  SearchQuery,
  SearchResult,
} from "@beatmarket/catalogue-index/query.ts";
import type { NameDocument } from "../cluster/documents.ts";
import { facetRequest } from "../list/facets.ts";
import { queryOf } from "../list/list.ts";
import { Dictionary } from "./dictionary.ts";
import { genresOfProducers } from "./genres-of-producers.ts";
import { Interpreter } from "./interpreter.ts";
import { beatKind } from "./kinds.ts";
import { type Match, type Matches, MatchReader } from "./matches.ts";
import { readGenres, type SearchParts } from "./parts.ts";
import type { Ranked } from "./ranked.ts";
import { type Outcome, WordSearch } from "./word-search.ts";

interface RankedHit {
  kind: "beat" | "producer";
  match: Match;
  /** Popularity within the kind, 0 to 1, so that beats and producers are comparable. */
  popularity: number;
}

const noMatches: Matches = { total: 0, page: [] };

/** Searches beats and producers with the same interpretations as the index in memory. */
export async function search(parts: SearchParts, query: SearchQuery): Promise<SearchResult> {
  const [genres, top] = await Promise.all([readGenres(parts), parts.popular.top()]);
  const matching = new MatchReader(parts, query);
  const dictionary = new Dictionary(parts, genres);
  const wordSearch = new WordSearch(parts, query, matching, dictionary);
  const outcome = await new Interpreter({ query, dictionary, wordSearch, matching, beats: beatKind(genres) }).outcome();
  const matchesOf = async (ranked: Ranked | undefined) => (ranked === undefined ? noMatches : matching.of(ranked));
  const [beats, producers] = await Promise.all([matchesOf(outcome.beats), matchesOf(outcome.producers)]);
  const hits: RankedHit[] = [
    ...beats.page.map((match) => ({ kind: "beat" as const, match, popularity: share(match, top.beat) })),
    ...producers.page.map((match) => ({ kind: "producer" as const, match, popularity: share(match, top.producer) })),
  ];
  if (query.sort === undefined) hits.sort(bestFirst);
  const interpretation = interpretationOf(query, outcome, hits[0], genres);
  return {
    hits: await presented(parts, hits, genres),
    totals: { beats: beats.total, producers: producers.total },
    ...(interpretation && { interpretation }),
    ...(query.facets && outcome.beats && { facets: await facetsOf(parts, matching, outcome.beats, query.facets) }),
  };
}

const share = ({ popularity }: Match, highest: number): number => Math.log(1 + popularity) / Math.log(2 + highest);

/** If rank and popularity are equal, producers come before beats, then newer entries before older ones. */
const bestFirst = (a: RankedHit, b: RankedHit): number =>
  a.match.rank - b.match.rank ||
  b.popularity - a.popularity ||
  Number(a.kind === "beat") - Number(b.kind === "beat") ||
  b.match.id - a.match.id;

async function presented(
  parts: SearchParts,
  hits: readonly RankedHit[],
  genres: readonly NameDocument[],
): Promise<SearchHit[]> {
  const producers = hits.filter(({ kind }) => kind === "producer").map(({ match }) => match.id);
  const genresOf = await genresOfProducers(parts, producers, genres);
  return hits.map(({ kind, match: { id } }) =>
    kind === "beat" ? { kind, id } : { kind, id, genres: genresOf.get(id) ?? [] },
  );
}

/** Counts the matches for each facet. Each copy of a recording counts. */
async function facetsOf(
  { cluster, indexOf, facetReader }: SearchParts,
  { filters }: MatchReader,
  { kind, scored }: Ranked,
  names: NonNullable<SearchQuery["facets"]>,
): Promise<Facets> {
  const request = facetRequest(filters, names, [scored, ...kind.impliedFilters]);
  const { aggregations } = await cluster.search(indexOf("beats"), {
    query: queryOf(request).query,
    size: 0,
    aggs: request.aggregations,
  });
  return facetReader.read(indexOf("beats"), request, aggregations);
}

/** Returns how the text was interpreted, if not literally. */
function interpretationOf(
  { text }: SearchQuery,
  { reading, traits, ignored }: Outcome,
  first: RankedHit | undefined,
  genres: readonly NameDocument[],
): Interpretation | undefined {
  const corrected: Record<string, string> = {};
  if (first !== undefined && first.match.rank >= rankOf(1, 0))
    for (const word of reading.words) {
      const correction = correctionIn(word, first.match, genres);
      if (correction !== undefined) corrected[word.typed.text] = correction;
    }
  const isCorrected = Object.keys(corrected).length > 0;
  if (traits === undefined && ignored === undefined && !isCorrected) return undefined;
  const words = reading.words.map(({ typed }) => corrected[typed.text] ?? typed.text);
  return {
    text: isCorrected || ignored !== undefined ? words.join(" ") : (traits?.rest ?? text.trim()),
    ...(traits?.bpm && { bpm: traits.bpm }),
    ...(traits?.keys && { keys: traits.keys }),
    ...(traits?.priceCents && { priceCents: traits.priceCents }),
    ...(traits?.widened && { widened: traits.widened }),
    ...(isCorrected && { corrected }),
    ...(ignored && { ignored }),
  };
}

/** Returns the correction with which a hit matches a word; undefined if the hit has the word as typed. */
function correctionIn(
  { typed, isUnfinished, corrections }: RequiredWord,
  { source }: Match,
  genres: readonly NameDocument[],
): string | undefined {
  if (corrections.length === 0) return undefined;
  const genre = genres.find(({ id }) => id === source.genre)?.word ?? [];
  const named = [
    ...(source.title ?? []),
    ...(source.word ?? []),
    ...genre,
    ...(Array.isArray(source.name) ? source.name : []),
  ];
  const words = [...named, ...(source.tag ?? [])];
  if (words.some((word) => word === typed.text || (isUnfinished && word.startsWith(typed.text)))) return undefined;
  return (corrections.find(({ word }) => named.includes(word)) ?? corrections[0])?.word;
}
