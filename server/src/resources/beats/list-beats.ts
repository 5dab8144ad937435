import type { Similarity } from "@beatmarket/catalogue-index/engine/similar/similarity.ts";
import type { BeatSort, CatalogueQueries, FacetName } from "@beatmarket/catalogue-index/query.ts";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { pageOf, planPage } from "@beatmarket/http/listing/seek.ts";
import type { Beat, BeatDetail } from "./beat.ts";
import type { BeatCatalogue } from "./catalogue/beat-catalogue.ts";
import type { Fields } from "./filters/parameters.ts";
import { type FilterQuery, readFilters } from "./filters/read-filters.ts";
import { analysisFields, detailFields, type NamedFacets } from "./wire.ts";

/** A page of beats, with all details if the request has `ids`, or if `fields` names a detail. */
export interface BeatsPage extends Page<Beat | BeatDetail> {
  fields: Fields;
  facets?: NamedFacets | undefined;
  /** The requested ids without a public beat. */
  missing?: number[] | undefined;
}

export interface BeatsRequest extends FilterQuery {
  sort: BeatSort;
  page: number;
  limit: number;
  after?: string | undefined;
  facets?: FacetName[] | undefined;
  ids?: number[] | undefined;
}

interface CatalogueReads {
  index: Pick<CatalogueQueries, "list">;
  catalogue: BeatCatalogue;
}

/** One page of the listed beats that pass the filters (docs/api/beats.md, List beats). */
export async function listBeats(
  { index, catalogue }: CatalogueReads,
  request: BeatsRequest,
  fields: Fields,
): Promise<BeatsPage> {
  const { sort, page, limit } = request;
  const filters = readFilters(request);
  const plan = planPage({ scope: `beats ${sort} ${JSON.stringify(filters)}`, keyType: "bigint" }, request);
  const { seek } = plan;
  const result = await index.list({
    filters,
    sort,
    offset: (page - 1) * limit,
    limit,
    facets: request.facets,
    ...(seek !== null && { seek: { ...seek, key: Number(seek.key), id: Number(seek.id) } }),
  });
  const positions = result.ids.map((id, position) => ({ id, key: result.keys[position] ?? 0 }));
  const places = pageOf(plan, positions, result.total, ({ key }) => key);
  const ids = places.items.map(({ id }) => id);
  const [items, facets] = await Promise.all([
    listedBeats(catalogue, ids, fields),
    withGenreNames(catalogue, result.facets),
  ]);
  return { ...places, items, fields, facets };
}

/** The listed beats of these ids, in the order of the ids. They have all details if `fields` names a detail. */
export async function listedBeats(
  catalogue: BeatCatalogue,
  ids: readonly number[],
  fields: Fields,
): Promise<(Beat | BeatDetail)[]> {
  const needsDetails = Object.keys({ ...detailFields, ...analysisFields }).some((name) => fields?.has(name));
  if (!needsDetails) return catalogue.listed(ids);
  return (await catalogue.details(ids)).filter(({ is_listed }) => is_listed);
}

export async function withGenreNames(
  catalogue: BeatCatalogue,
  counts: NamedFacets["counts"] | undefined,
): Promise<NamedFacets | undefined> {
  if (counts === undefined) return undefined;
  return { counts, genres: await catalogue.genreNames((counts.genre ?? []).map(({ value }) => Number(value))) };
}

/** Beats by their ids, sold or not, with all details, as one page in the order of the ids. */
export async function beatsByIds(catalogue: BeatCatalogue, ids: readonly number[], fields: Fields): Promise<BeatsPage> {
  const items = await catalogue.details(ids);
  const readIds = new Set(items.map(({ id }) => id));
  return {
    items,
    page: 1,
    limit: ids.length,
    total: items.length,
    lastPage: 1,
    next: null,
    previous: null,
    fields,
    missing: ids.filter((id) => !readIds.has(id)),
  };
}

/** Throws invalid_request if a request by ids has any parameter besides `ids` and `fields`. */
export function requireIdsAlone(names: Iterable<string>): void {
  for (const name of names)
    if (name !== "ids" && name !== "fields")
      throw invalidRequest(
        `The ids parameter names the beats, so ${name} cannot choose among them; leave out ${name}, or ids.`,
        name,
      );
}

export interface SimilarBeat {
  beat: Beat;
  similarity: Similarity;
}

/**
 * The listed beats most similar to a beat, best first, at most `limit` (docs/api/beats.md, Similar beats). The beat
 * itself may be sold. Throws notFound for an unknown or withdrawn beat.
 */
export async function findSimilarBeats(
  index: Pick<CatalogueQueries, "similar">,
  catalogue: BeatCatalogue,
  beatId: number,
  limit: number,
): Promise<SimilarBeat[]> {
  const { id, user_id, genre_id, key_code, tempo, popularity_key, duration_seconds, title } =
    await catalogue.beat(beatId);
  const subject = { id, user_id, genre_id, key_code, tempo, popularity_key, duration_seconds, title };
  const hits = await index.similar({ own: subject, limit });
  const beats = new Map((await catalogue.listed(hits.map((hit) => hit.id))).map((beat) => [beat.id, beat]));
  return hits.flatMap((hit) => {
    const beat = beats.get(hit.id);
    return beat === undefined ? [] : [{ beat, similarity: hit.similarity }];
  });
}
