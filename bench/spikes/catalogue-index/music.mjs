// What every contender has to agree on: the similarity of two beats, compatible keys, and what counts as one typing error.

export const unknownKey = 24;

/** A key, its relative, and its neighbours on the circle of fifths. */
export const compatibleKeys = (key) =>
  Array.from({ length: unknownKey }, (_, other) => other).filter((other) => keyFactor(key, other) > 0);

const weights = { genre: 0.4, tempo: 0.3, key: 0.2, producer: 0.04, popularity: 0.03, length: 0.03 };
const halvingOctaves = Math.log2(1.04);

export function keyFactor(a, b) {
  if (a === unknownKey || b === unknownKey) return 0;
  if (a === b) return 1;
  const fifths = Math.abs((a % 12) - (b % 12));
  if (a < 12 !== b < 12) return fifths === 0 ? 0.75 : 0;
  return fifths === 1 || fifths === 11 ? 0.5 : 0;
}

/** 0 to 1, four decimals; -1 for tempi more than an octave and a half apart. */
export function similarity(own, other) {
  const octaves = Math.abs(Math.log2(own.tempo / other.tempo));
  const nearest = Math.round(octaves);
  if (nearest > 1) return -1;
  const score =
    (own.genre === other.genre ? weights.genre : 0) +
    weights.tempo * tempoFactor(Math.abs(octaves - nearest)) +
    weights.key * keyFactor(own.key, other.key) +
    (own.producer === other.producer ? weights.producer : 0) +
    weights.popularity * ratio(own.popularity + 1, other.popularity + 1) +
    weights.length * (own.duration === 0 || other.duration === 0 ? 0.5 : ratio(own.duration, other.duration));
  return Math.round(score * 10_000) / 10_000;
}

const tempoFactor = (octavesApart) => 0.5 ** (octavesApart / halvingOctaves);
const ratio = (a, b) => Math.min(a, b) / Math.max(a, b);

/** The highest score of a beat that differs from another by so much in genre, key and tempo. */
export const bestScore = (sameGenre, key, octavesApart = 0) =>
  (sameGenre ? weights.genre : 0) + weights.key * key + weights.tempo * tempoFactor(octavesApart) + 0.1 + 1e-4;

export const bySimilarity = (a, b) => b.score - a.score || a.id - b.id;

/** Whether one letter added, left out, replaced, or swapped with its neighbour makes one word of the other; or nothing. */
export function isOneErrorApart(a, b) {
  if (a.length < b.length) return isOneErrorApart(b, a);
  if (a.length - b.length > 1) return false;
  let at = 0;
  while (at < b.length && a[at] === b[at]) at++;
  if (a.length > b.length) return a.slice(at + 1) === b.slice(at);
  if (a.slice(at + 1) === b.slice(at + 1)) return true;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** The word, and the word with each of its letters left out: words one error apart share one of them. */
export const errorKeys = (word) => [
  ...new Set([word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))]),
];

export const facetsOf = {
  genre: (beats, at) => beats.genre[at],
  key: (beats, at) => beats.key[at],
  bpm: (beats, at) => Math.floor(beats.bpm[at] / 10),
  price: (beats, at) => Math.min(9, Math.floor(beats.price[at] / 1_000)),
};

/** Columns that a page is ordered by; ids in the same direction decide ties. */
export const sorts = {
  newest: { column: "created", descending: true },
  popular: { column: "popularity", descending: true },
  price: { column: "price", descending: false },
  bpm: { column: "bpm", descending: false },
};

export const pageSize = 20;
