import { titleHash } from "@beatmarket/catalogue-index/engine/hashes.ts";
import { BestRecordings, isCopy } from "@beatmarket/catalogue-index/engine/similar/best-recordings.ts";
import {
  type Neighbourhood,
  neighbourhoods,
  similarity,
  type Traits,
} from "@beatmarket/catalogue-index/engine/similar/similarity.ts";
import type { SimilarHit, SimilarQuery } from "@beatmarket/catalogue-index/query.ts";
import type { Clause, Cluster, Hit } from "../cluster/cluster.ts";
import type { BeatDocument } from "../cluster/documents.ts";
import { scoreScript } from "./score-script.ts";

type ComparedFields = Pick<
  BeatDocument,
  "id" | "producer" | "genre" | "key" | "tempo" | "popularity" | "duration" | "whole"
>;

const fields = ["id", "producer", "genre", "key", "tempo", "popularity", "duration", "whole"];
/** Beats whose tempos differ by more than 1.5 octaves are not similar. The margin is for rounding. */
const octaves = 1.51;
const mostRows = 500;

/**
 * The most similar beats, the best first. OpenSearch sorts each neighbourhood by score. The search ends when no further
 * beat could be among the best, so no result is lost. This program computes the scores of the results.
 */
export async function similar(cluster: Cluster, index: string, { own, limit }: SimilarQuery): Promise<SimilarHit[]> {
  if (limit <= 0) return [];
  const best = new BestRecordings(limit);
  const compared = new Map<number, SimilarHit>();
  for (const neighbourhood of neighbourhoods(own, true)) {
    if (best.rejects(neighbourhood.best, 0)) break;
    await searchOne(cluster, index, own, neighbourhood, (hit) => compare(own, hit, best, compared), limit);
  }
  return best.best().flatMap(({ id }) => compared.get(id) ?? []);
}

/** Reads a neighbourhood page by page, the best beats first, until `isNeeded` returns false. */
async function searchOne(
  cluster: Cluster,
  index: string,
  own: Traits,
  { sameGenre, keyCodes }: Neighbourhood,
  isNeeded: (hit: ComparedFields) => boolean,
  limit: number,
): Promise<void> {
  const ofGenre = { term: { genre: own.genre_id } };
  const query: Clause = {
    bool: {
      filter: [
        { terms: { key: keyCodes } },
        { range: { tempo: { gte: own.tempo / 2 ** octaves, lte: own.tempo * 2 ** octaves } } },
        ...(sameGenre ? [ofGenre] : []),
      ],
      must_not: [{ term: { id: own.id } }, ...(sameGenre ? [] : [ofGenre])],
    },
  };
  let size = 2 * limit + 10;
  for (let after: Hit<ComparedFields> | undefined; ; ) {
    const { hits } = (
      await cluster.search<ComparedFields>(index, {
        query: { script_score: { query, script: scoreScript(own) } },
        sort: [{ _score: "desc" }, { id: "asc" }],
        track_total_hits: false,
        _source: fields,
        size,
        ...(after && { search_after: after.sort }),
      })
    ).hits;
    for (const { _source } of hits) if (!isNeeded(_source)) return;
    after = hits.at(-1);
    if (hits.length < size) return;
    size = Math.min(size * 2, mostRows);
  }
}

/** Returns false if neither this beat nor a worse one can be among the best. */
function compare(
  own: SimilarQuery["own"],
  beat: ComparedFields,
  best: BestRecordings,
  compared: Map<number, SimilarHit>,
): boolean {
  const likeness = similarity(own, {
    id: beat.id,
    user_id: beat.producer,
    genre_id: beat.genre,
    key_code: beat.key,
    tempo: beat.tempo,
    popularity_key: beat.popularity,
    duration_seconds: beat.duration,
  });
  if (likeness === null) return true;
  const recording = {
    title: titleHash(beat.whole),
    producer: beat.producer,
    tempo: beat.tempo,
    durationSeconds: beat.duration,
  };
  const ownRecording = {
    title: titleHash(own.title),
    producer: own.user_id,
    tempo: own.tempo,
    durationSeconds: own.duration_seconds,
  };
  if (best.rejects(likeness.score, beat.id)) return false;
  if (isCopy(recording, ownRecording)) return true;
  compared.set(beat.id, { id: beat.id, similarity: likeness });
  best.add({ slot: 0, id: beat.id, score: likeness.score, ...recording });
  return true;
}
