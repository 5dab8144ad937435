import type { SimilarHit, SimilarQuery } from "../../query.ts";
import type { Beats } from "../beats.ts";
import { titleHash } from "../hashes.ts";
import { BestRecordings, isCopy } from "./best-recordings.ts";
import { type Stretch, visitOutward } from "./nearest.ts";
import { foldTempo, keyRelation, neighbourhoods, parts, shownScore, similarity, type Traits } from "./similarity.ts";
import type { Group, Run } from "./trait-order.ts";

/**
 * If the given beat's producer has at most this many beats, all of them are compared first, and the other steps skip
 * them.
 */
const fewBeatsOfProducer = 1_024;
/** Up to this many beats are compared one by one. */
const fewBeats = 8;
/** Maximum difference between sums of the same parts that are added in another order. */
const rounding = 1e-9;

const maxPoints = {
  popularity: parts.popularity(0, 0),
  length: parts.length(1, 1),
};

/**
 * Returns the most similar listed beats, best first, as if all were compared, without copies of the beat itself or of a
 * better one.
 *
 * Branch and bound over the beats by genre, key, tempo, popularity and length: each part of the score falls with the
 * distance in its column. So a walk outward from the beat's own value ends when the parts so far, plus the maximum of
 * the other parts, are below the lowest score among the best beats so far.
 */
export function similarBeats(beats: Beats, query: SimilarQuery): SimilarHit[] {
  return new SimilarSearch(beats, query).find();
}

class SimilarSearch {
  readonly #beats: Beats;
  readonly #own: Traits;
  readonly #limit: number;
  readonly #recording: { title: number; producer: number; tempo: number; durationSeconds: number };
  readonly #genre: number;
  readonly #best: BestRecordings;
  /** Whether the walk includes beats of the same producer. */
  readonly #withProducer: boolean;
  readonly #mostOfProducer: number;

  constructor(beats: Beats, { own, limit }: SimilarQuery) {
    this.#beats = beats;
    this.#own = own;
    this.#limit = limit;
    this.#recording = {
      title: titleHash(own.title),
      producer: beats.producers.ordinalOf(own.user_id),
      tempo: own.tempo,
      durationSeconds: own.duration_seconds,
    };
    this.#genre = beats.genres.ordinalOf(own.genre_id);
    this.#best = new BestRecordings(limit);
    this.#withProducer = beats.byProducer.count(this.#recording.producer) > fewBeatsOfProducer;
    this.#mostOfProducer = parts.producer(this.#withProducer);
  }

  find(): SimilarHit[] {
    if (this.#limit <= 0) return [];
    if (!this.#withProducer && this.#recording.producer !== -1)
      this.#beats.byProducer.forEach(this.#recording.producer, (slot) => this.#compare(slot));
    const runs = this.#beats.byTraits.runs();
    for (const { sameGenre, keyCodes, best } of neighbourhoods(this.#own, this.#withProducer)) {
      if (this.#best.rejects(best, 0)) break;
      for (const run of runs)
        for (const group of run.groups)
          if ((group.genre === this.#genre) === sameGenre && keyCodes.includes(group.keyCode))
            this.#searchGroup(run, group, sameGenre);
    }
    return this.#best.best().flatMap(({ slot, id }) => {
      const compared = similarity(this.#own, this.#traitsOf(slot));
      return compared === null ? [] : [{ id, similarity: compared }];
    });
  }

  /** Walks outward from the tempo itself, its double and its half, as far as beats fold to each of them. */
  #searchGroup({ slots, holes }: Run, { keyCode, from, to }: Group, sameGenre: boolean): void {
    const { tempo } = this.#beats.columns;
    const own = this.#own.tempo;
    const soFar = parts.genre(sameGenre) + parts.key(keyRelation(this.#own.key_code, keyCode));
    const rest = this.#mostOfProducer + maxPoints.popularity + maxPoints.length;
    for (const aim of [own, own * 2, own / 2]) {
      const maxScore = (value: number): number => {
        const octaves = Math.abs(Math.log2(value / aim));
        return octaves > 0.5 + rounding ? Number.NEGATIVE_INFINITY : soFar + parts.tempo(octaves);
      };
      visitOutward({ slots, holes, from, to }, tempo, aim, maxScore, (part, reached) => {
        if (this.#rejects(reached + rest, 0)) return false;
        this.#searchTempo(part, reached);
        return true;
      });
    }
  }

  /** Searches the beats of one genre, key and tempo. */
  #searchTempo(stretch: Stretch, soFar: number): void {
    if (stretch.to - stretch.from <= fewBeats) {
      this.#compareAll(stretch, 1);
      return;
    }
    const { popularityKey } = this.#beats.columns;
    const own = this.#own.popularity_key;
    const rest = this.#mostOfProducer + maxPoints.length;
    const maxScore = (value: number): number => soFar + parts.popularity(own, value);
    visitOutward(stretch, popularityKey, own, maxScore, (part, reached) => {
      if (this.#rejects(reached + rest, 0)) return false;
      this.#searchPopularity(part, reached);
      return true;
    });
  }

  /**
   * Searches the beats of one genre, key, tempo and popularity. Those of unknown length come first, and all have
   * the same score.
   */
  #searchPopularity(stretch: Stretch, soFar: number): void {
    if (stretch.to - stretch.from <= fewBeats) {
      this.#compareAll(stretch, 1);
      return;
    }
    const { durationSeconds } = this.#beats.columns;
    const own = this.#own.duration_seconds;
    const isKnown = own > 0;
    const maxScore = (value: number): number =>
      isKnown && value === 0 ? Number.NEGATIVE_INFINITY : soFar + parts.length(own, value);
    visitOutward(stretch, durationSeconds, own, maxScore, (part, reached) => this.#compareAll(part, reached));
    if (!isKnown) return;
    const unknown = soFar + parts.length(own, 0);
    visitOutward(
      stretch,
      durationSeconds,
      0,
      (value) => (value === 0 ? unknown : Number.NEGATIVE_INFINITY),
      (part) => this.#compareAll(part, unknown),
    );
  }

  /**
   * Compares beats whose score is at most `maxScore`. Ids ascend, unless there are few beats. Returns false if no
   * further beat can be among the best.
   */
  #compareAll({ slots, holes, from, to }: Stretch, maxScore: number): boolean {
    const { id, producer } = this.#beats.columns;
    for (let index = from; index < to; index++) {
      const slot = slots[index] as number;
      if (holes?.has(slot)) continue;
      if (this.#rejects(maxScore + this.#mostOfProducer, 0)) return false;
      if (to - from > fewBeats && this.#rejects(maxScore + this.#mostOfProducer, id[slot] as number)) break;
      // Beats of the same producer were compared before.
      if (this.#withProducer || producer[slot] !== this.#recording.producer) this.#compare(slot);
    }
    return true;
  }

  #rejects(score: number, id: number): boolean {
    return this.#best.rejects(shownScore(score + rounding), id);
  }

  /** Computes the score exactly as `similarity` does. */
  #compare(slot: number): void {
    const { columns } = this.#beats;
    const own = this.#own;
    const id = columns.id[slot] as number;
    const recording = {
      title: columns.titleHash[slot] as number,
      producer: columns.producer[slot] as number,
      tempo: columns.tempo[slot] as number,
      durationSeconds: columns.durationSeconds[slot] as number,
    };
    const tempo = foldTempo(own.tempo, recording.tempo);
    if (tempo === null || id === own.id || isCopy(recording, this.#recording)) return;
    const score = shownScore(
      parts.genre(columns.genre[slot] === this.#genre) +
        parts.tempo(tempo.octavesApart) +
        parts.key(keyRelation(own.key_code, columns.keyCode[slot] as number)) +
        parts.producer(recording.producer === this.#recording.producer) +
        parts.popularity(own.popularity_key, columns.popularityKey[slot] as number) +
        parts.length(own.duration_seconds, recording.durationSeconds),
    );
    if (!this.#best.rejects(score, id)) this.#best.add({ slot, id, score, ...recording });
  }

  #traitsOf(slot: number): Traits {
    const { columns, genres, producers } = this.#beats;
    return {
      id: columns.id[slot] as number,
      user_id: producers.idOf(columns.producer[slot] as number),
      genre_id: genres.idOf(columns.genre[slot] as number),
      key_code: columns.keyCode[slot] as number,
      tempo: columns.tempo[slot] as number,
      popularity_key: columns.popularityKey[slot] as number,
      duration_seconds: columns.durationSeconds[slot] as number,
    };
  }
}
