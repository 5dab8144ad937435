import { type RawBuilder, sql } from "kysely";
import {
  bySimilarity,
  type Neighbourhood,
  neighbourhoods,
  type Similarity,
  similarity,
  type Traits,
} from "../../../catalogue-index/engine/similar/similarity.ts";
import type { Queryable } from "../../../database/connection/connect.ts";
import { notFound } from "../../../errors.ts";
import type { Beat } from "../beat.ts";
import type { BeatCatalogue } from "../catalogue/beat-catalogue.ts";

export interface SimilarBeat {
  beat: Beat;
  similarity: Similarity;
}

/** Additional candidates of each neighbourhood, so that the smaller factors can change the order. */
const spareBeats = 40;

/** How many of the producer's newest beats are candidates. */
const producerBeats = 100;

const traits = ["id", "user_id", "genre_id", "key_code", "tempo", "popularity_key", "duration_seconds"] as const;
const traitsSql = sql.join(traits.map((trait) => sql.ref(trait)));

/**
 * Finds the listed beats most similar to a beat, best first, at most `limit` (docs/api/beats.md, Similar beats). The beat
 * itself may be sold. Throws notFound.
 *
 * The cost does not depend on the size of the catalogue: it reads a few index entries above and below the beat's tempo,
 * half of it and double, neighbourhood by neighbourhood, until no remaining neighbourhood can contain a better beat.
 */
export async function findSimilarBeats(
  db: Queryable,
  catalogue: Pick<BeatCatalogue, "beats">,
  beatId: number,
  limit: number,
): Promise<SimilarBeat[]> {
  const { own, ofProducer } = await withNewestOfProducer(db, beatId);
  const chosen = await mostSimilar(db, own, ofProducer, limit);
  const beats = await catalogue.beats(chosen.map(({ id }) => id));
  return chosen.flatMap(({ id, similarity }) => {
    const beat = beats.get(id);
    return beat === undefined ? [] : [{ beat, similarity }];
  });
}

async function mostSimilar(
  db: Queryable,
  own: Traits,
  ofProducer: Traits[],
  limit: number,
): Promise<{ id: number; similarity: Similarity }[]> {
  const seen = new Set([own.id]);
  let best: { id: number; similarity: Similarity }[] = [];
  const consider = (candidates: Traits[]): void => {
    for (const candidate of candidates) {
      if (seen.has(candidate.id)) continue;
      seen.add(candidate.id);
      const compared = similarity(own, candidate);
      if (compared !== null) best.push({ id: candidate.id, similarity: compared });
    }
    best = best.sort(bySimilarity).slice(0, limit);
  };

  consider(ofProducer);
  for (const neighbourhood of neighbourhoods(own, ofProducer.length === producerBeats)) {
    const last = best[limit - 1];
    if (last !== undefined && last.similarity.score > neighbourhood.best) break;
    consider(await nearestInTempo(db, own, neighbourhood, limit));
  }
  return best;
}

/** The beat and its producer's newest beats, which may include it. Throws notFound. */
async function withNewestOfProducer(db: Queryable, beatId: number): Promise<{ own: Traits; ofProducer: Traits[] }> {
  const { rows } = await sql<Traits>`
    with own as materialized (select ${traitsSql} from beats where id = ${beatId})
    select * from own
    union all
    (select ${traitsSql} from beats
      where is_listed and user_id = (select user_id from own)
      order by created_at desc, id desc limit ${producerBeats})`.execute(db);
  const [own, ...ofProducer] = rows;
  if (own === undefined) throw notFound(`Beat ${beatId} does not exist.`);
  return { own, ofProducer };
}

/**
 * The beats of a neighbourhood with the nearest tempi, folded to the octave: `limit` + `spareBeats`. Many beats have the
 * same tempo; among those, the scan starts at the beat's own popularity and length.
 */
async function nearestInTempo(
  db: Queryable,
  own: Traits,
  neighbourhood: Neighbourhood,
  limit: number,
): Promise<Traits[]> {
  const place = sql`(tempo, popularity_key, duration_seconds)`;
  const start = sql`(aim, ${own.popularity_key}::bigint, ${own.duration_seconds}::integer)`;
  const where = sql`is_listed and key_code = near_key ${
    neighbourhood.sameGenre ? sql`and genre_id = ${own.genre_id}::bigint` : sql``
  }`;
  // Lists of values, not arrays: the planner then knows their length, so one plan fits all calls.
  const aims = valuesOf([own.tempo / 2, own.tempo, own.tempo * 2], sql`double precision`);
  const keys = valuesOf(neighbourhood.keyCodes, sql`smallint`);
  const steps = limit + Math.ceil(spareBeats / neighbourhood.keyCodes.length);
  // The bounds are slightly more than half an octave; similarity.ts decides which octave a beat belongs to.
  const { rows } = await sql<Traits>`
    select ${traitsSql}
    from (${keys}) as keys (near_key), (${aims}) as aims (aim), lateral (
      (select ${traitsSql} from beats
        where ${where} and ${place} >= ${start} and tempo < aim * 1.4143
        order by tempo, popularity_key, duration_seconds, id limit ${steps})
      union all
      (select ${traitsSql} from beats
        where ${where} and ${place} < ${start} and tempo > aim * 0.7071
        order by tempo desc, popularity_key desc, duration_seconds desc, id desc limit ${steps})
    ) near
    order by abs(ln(tempo / aim)), abs(ln((popularity_key + 1) / ${own.popularity_key + 1}::double precision)),
             abs(duration_seconds - ${own.duration_seconds}::integer), id
    limit ${limit + spareBeats}`.execute(db);
  return rows;
}

const valuesOf = (values: number[], type: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`values ${sql.join(values.map((value) => sql`(${value}::${type})`))}`;
