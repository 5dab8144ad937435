import type { Similarity } from "@beatmarket/catalogue-index/engine/similar/similarity.ts";
import type { CatalogueQueries } from "@beatmarket/catalogue-index/query.ts";
import type { Beat } from "./beat.ts";
import type { BeatCatalogue } from "./catalogue/beat-catalogue.ts";

export interface SimilarBeat {
  beat: Beat;
  similarity: Similarity;
}

/**
 * The listed beats most similar to a beat, best first, at most `limit` (docs/api/beats.md, Similar beats). The beat itself
 * may be sold. Throws notFound.
 */
export async function findSimilarBeats(
  index: Pick<CatalogueQueries, "similar">,
  rows: BeatCatalogue,
  beatId: number,
  limit: number,
): Promise<SimilarBeat[]> {
  const { id, user_id, genre_id, key_code, tempo, popularity_key, duration_seconds, title } = await rows.beat(beatId);
  const own = { id, user_id, genre_id, key_code, tempo, popularity_key, duration_seconds, title };
  const hits = await index.similar({ own, limit });
  const beats = new Map((await rows.listed(hits.map((hit) => hit.id))).map((beat) => [beat.id, beat]));
  return hits.flatMap((hit) => {
    const beat = beats.get(hit.id);
    return beat === undefined ? [] : [{ beat, similarity: hit.similarity }];
  });
}
