import { keyRelation, parts, type Traits } from "@beatmarket/catalogue-index/engine/similar/similarity.ts";
import { tempoFactor } from "@beatmarket/foundation/music/similarity-factors.ts";
import type { Clause } from "../cluster/cluster.ts";

const keyCodes = Array.from({ length: 25 }, (_, code) => code);

/**
 * The score of `similarity` in Painless, rounded as in results. All weights come from `similarity.ts` as parameters, so
 * that the script is compiled only once and does not repeat the weights.
 */
const source = `
  double tempo = doc['tempo'].value;
  double octaves = Math.log(Math.max(params.tempo, tempo) / Math.min(params.tempo, tempo)) / Math.log(2);
  double nearest = Math.round(octaves);
  if (nearest > 1) return 0;
  double score = params.keys[Integer.parseInt(doc['key'].value)]
    + (doc['genre'].value == params.genre ? params.ofGenre : 0)
    + (doc['producer'].value == params.producer ? params.ofProducer : 0)
    + params.ofTempo * Math.pow(params.tempoFactor, Math.abs(octaves - nearest));
  double own = params.popularity + 1;
  double other = doc['popularity'].value + 1;
  score += params.ofPopularity * Math.min(own, other) / Math.max(own, other);
  double length = doc['duration'].value;
  score += params.duration == 0 || length == 0 ? params.ofUnknownLength
    : params.ofLength * Math.min(params.duration, length) / Math.max(params.duration, length);
  if (score > 1 - 1e-12) return 1;
  return Math.min(0.9999, Math.round(score * 10000) / 10000.0);
`;

export const scoreScript = (own: Traits): Clause => ({
  source,
  params: {
    tempo: own.tempo,
    popularity: own.popularity_key,
    duration: own.duration_seconds,
    genre: String(own.genre_id),
    producer: String(own.user_id),
    keys: keyCodes.map((code) => parts.key(keyRelation(own.key_code, code))),
    ofGenre: parts.genre(true),
    ofProducer: parts.producer(true),
    ofTempo: parts.tempo(0),
    tempoFactor: tempoFactor(1),
    ofPopularity: parts.popularity(0, 0),
    ofLength: parts.length(1, 1),
    ofUnknownLength: parts.length(0, 0),
  },
});
