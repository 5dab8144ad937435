import type {
  BeatSort,
  CatalogueQueries,
  FacetName,
  Interpretation,
  SearchQuery,
} from "@beatmarket/catalogue-index/query.ts";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { keyName } from "@beatmarket/foundation/music/musical-key.ts";
import { money } from "@beatmarket/http/formats.ts";
import { countedPage, type Page } from "@beatmarket/http/listing/page.ts";
import { consoleMeta, referencePagination } from "@beatmarket/http/pagination.ts";
import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import type { Beat, BeatDetail } from "../beats/beat.ts";
import type { BeatCatalogue } from "../beats/catalogue/beat-catalogue.ts";
import { type Fields, facetsParameter, filterParameters, pickFields } from "../beats/filters/parameters.ts";
import { type FilterQuery, readFilters } from "../beats/filters/read-filters.ts";
import { listedBeats, withGenreNames } from "../beats/list-beats.ts";
import { listedConsole, listedReference } from "../beats/present.ts";
import { type NamedFacets, presentFacets } from "../beats/wire.ts";
import { producerConsole, producerReference } from "../users/present.ts";
import type { Producer } from "../users/queries.ts";

/** A result of a search. A beat has all details if `fields` names a detail. */
type Hit = { kind: "beat"; beat: Beat | BeatDetail } | { kind: "producer"; producer: Producer };

export interface SearchRequest extends FilterQuery {
  /** Words of any script, at most 200 characters. */
  q: string;
  type: "beats" | "producers" | "all";
  sort: BeatSort | "relevance";
  /** The first page is 1. */
  page: number;
  /** The maximum number of results of each type. */
  limit: number;
  facets?: FacetName[] | undefined;
  interpret: boolean;
}

/** A page with up to `limit` hits of each type, best first. */
interface SearchPage extends Page<Hit> {
  fields: Fields;
  totals: { beats: number; producers: number };
  interpretation?: Interpretation | undefined;
  facets?: NamedFacets | undefined;
}

const kindsOf = {
  beats: ["beats"],
  producers: ["producers"],
  all: ["beats", "producers"],
} as const satisfies Record<SearchRequest["type"], SearchQuery["kinds"]>;

/** Returns one page of the listed beats and producers that match a text (docs/api/search.md, Search). */
export async function searchPage(
  { index, catalogue }: { index: Pick<CatalogueQueries, "search">; catalogue: BeatCatalogue },
  request: SearchRequest,
  fields: Fields,
): Promise<SearchPage> {
  const { q, type, page, limit, interpret } = request;
  const answer = await index.search({
    text: q,
    kinds: kindsOf[type],
    interpret,
    filters: readFilters(request),
    sort: request.sort === "relevance" ? undefined : request.sort,
    offset: (page - 1) * limit,
    limit,
    facets: request.facets,
  });
  const { hits, totals, interpretation } = answer;
  const idsOf = (kind: Hit["kind"]) => hits.filter((hit) => hit.kind === kind).map(({ id }) => id);
  const genreIds = new Set(hits.flatMap((hit) => hit.genres ?? []));
  const [beats, foundProducers, genreNames, facets] = await Promise.all([
    listedBeats(catalogue, idsOf("beat"), fields).then((beats) => new Map(beats.map((beat) => [beat.id, beat]))),
    Promise.all(idsOf("producer").map(catalogue.producer)),
    catalogue.genreNames(Array.from(genreIds)),
    withGenreNames(catalogue, answer.facets),
  ]);
  const producers = new Map(foundProducers.map((producer) => [producer?.id, producer]));
  const items = hits.flatMap(({ kind, id, genres = [] }): Hit[] => {
    const beat = beats.get(id);
    const producer = producers.get(id);
    if (kind === "beat") return beat === undefined ? [] : [{ kind, beat }];
    if (producer === undefined) return [];
    const namedGenres = genres.flatMap((genre) => {
      const names = genreNames.get(genre);
      return names === undefined ? [] : [{ id: genre, ...names }];
    });
    return [{ kind, producer: { ...producer, genres: namedGenres } }];
  });
  const total = totals.beats + totals.producers;
  const longest = Math.max(totals.beats, totals.producers);
  return {
    ...countedPage(items, { page, limit, total, longest }),
    fields,
    totals,
    interpretation: interpret ? (interpretation ?? { text: q.trim() }) : undefined,
    facets,
  };
}

const beatParameters = new Set([...Object.keys({ ...filterParameters, ...facetsParameter }), "sort"]);

/** Throws invalid_request for a parameter for beats, which a search with `type=producers` may not have. */
export function requireNoBeatParameters(names: Iterable<string>): void {
  for (const name of names)
    if (beatParameters.has(name))
      throw invalidRequest(
        `The ${name} parameter concerns beats, and type=producers finds none; leave ${name} out, or search type=beats.`,
        name,
      );
}

/** The data of a search besides its hits, equal in both forms (docs/api/search.md, What is understood). */
const presentExtras = ({ totals, interpretation, facets }: SearchPage) => ({
  totals,
  ...(interpretation && { interpreted: presentInterpretation(interpretation) }),
  ...(facets && { facets: presentFacets(facets) }),
});

/**
 * Presents an interpretation. The text and the filters have the names of parameters, so that a client can send them.
 */
const presentInterpretation = ({ text, bpm, keys, priceCents, widened, corrected, ignored }: Interpretation) => ({
  q: text,
  ...(bpm?.min !== undefined && { bpm_min: bpm.min }),
  ...(bpm?.max !== undefined && { bpm_max: bpm.max }),
  ...(keys && { key: keys.map(keyName).join(",") }),
  ...(priceCents?.min !== undefined && { price_min: money(priceCents.min) }),
  ...(priceCents?.max !== undefined && { price_max: money(priceCents.max) }),
  ...(widened && { widened }),
  ...(corrected && { corrected }),
  ...(ignored && { ignored }),
});

/** The hits in one list for each kind, best first. */
export const searchReference = (page: SearchPage, context: PresenterContext) => ({
  beats: page.items.flatMap((hit) => (hit.kind === "beat" ? [listedReference(hit.beat, page.fields, context)] : [])),
  producers: page.items.flatMap((hit) =>
    hit.kind === "producer" ? [pickFields(producerReference(hit.producer), page.fields)] : [],
  ),
  pagination: referencePagination(page, context),
  ...presentExtras(page),
});

/** The hits in one list, best first. The field `type` has the kind of a hit, beat or producer. */
export const searchConsole = (page: SearchPage, context: PresenterContext) => ({
  data: page.items.map((hit) =>
    hit.kind === "beat"
      ? { type: "beat", ...listedConsole(hit.beat, page.fields, context) }
      : { type: "producer", ...pickFields(producerConsole(hit.producer), page.fields) },
  ),
  meta: { ...consoleMeta(page), ...presentExtras(page) },
});
