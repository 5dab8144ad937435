import { bestScore, bySimilarity, keyFactor, similarity } from "../../music.mjs";
import { Order } from "./order.mjs";

const keys = 25;
const groupWidth = 100_000;

/** Finds the most similar beats exactly: in each genre and key outwards from the tempo, while a better one is possible. */
export class Similar {
  #columns;
  #order;
  #genres;

  constructor(columns, genres) {
    const { genre, key, tempo } = columns;
    this.#columns = columns;
    this.#genres = genres;
    this.order = this.#order = new Order(
      genre.length,
      (slot) => (genre[slot] * keys + key[slot]) * groupWidth + tempo[slot],
    );
  }

  find(own, limit) {
    const me = this.#at(own);
    let best = [];
    const consider = (slot) => {
      if (slot === own) return;
      const score = similarity(me, this.#at(slot));
      if (score < 0 || score < this.#least(best, limit)) return;
      best = [...best, { id: slot + 1, score }].sort(bySimilarity).slice(0, limit);
    };
    for (const slot of this.#order.extra) consider(slot);
    for (const { sameGenre, factor } of neighbourhoods(me.key)) {
      const isPossible = (octaves) => bestScore(sameGenre, factor, octaves) >= this.#least(best, limit);
      if (!isPossible(0)) break;
      for (let genre = 0; genre < this.#genres; genre++) {
        if ((genre === me.genre) !== sameGenre) continue;
        for (let key = 0; key < keys; key++) {
          if (keyFactor(me.key, key) !== factor) continue;
          for (const ratio of [1, 2, 0.5]) this.#outwards(genre * keys + key, me.tempo * ratio, isPossible, consider);
        }
      }
    }
    return best.map(({ id }) => id);
  }

  /** Visits a group's beats up to half an octave from a tempo, on either side, while `isPossible` at their distance. */
  #outwards(group, tempo, isPossible, visit) {
    const { base } = this.#order;
    const middle = this.#order.position(group * groupWidth + tempo, 0);
    for (const step of [1, -1]) {
      for (let at = step === 1 ? middle : middle - 1; at >= 0 && at < base.length; at += step) {
        if (this.#order.isHole(at)) continue;
        const slot = base[at];
        if (this.#columns.genre[slot] * keys + this.#columns.key[slot] !== group) break;
        const octaves = Math.abs(Math.log2(this.#columns.tempo[slot] / tempo));
        if (octaves > 0.5 || !isPossible(octaves)) break;
        visit(slot);
      }
    }
  }

  #least = (best, limit) => best[limit - 1]?.score ?? -1;

  #at(slot) {
    const { genre, producer, tempo, key, duration, popularity } = this.#columns;
    return {
      genre: genre[slot],
      producer: producer[slot],
      tempo: tempo[slot],
      key: key[slot],
      duration: duration[slot],
      popularity: popularity[slot],
    };
  }
}

/** The catalogue in parts, the one with the highest possible score first. */
function neighbourhoods(key) {
  const factors = [...new Set(Array.from({ length: keys }, (_, other) => keyFactor(key, other)))];
  return [true, false]
    .flatMap((sameGenre) => factors.map((factor) => ({ sameGenre, factor })))
    .sort((a, b) => bestScore(b.sameGenre, b.factor) - bestScore(a.sameGenre, a.factor));
}
