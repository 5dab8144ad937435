import { seededRandom } from "../../src/catalogue/seeded/random.ts";
import { compatibleKeys, unknownKey } from "./music.mjs";

/**
 * The queries, the same for every contender: a list of each kind. `perKind` of each.
 * A list query: {filters: {bpm, price: [from, to], keys, genre, producer}, sort, offset, facets}.
 * A search: {words, prefix, corrected}: the last word may be the beginning of one; or each may have one error.
 */
export function makeQueries(beats, perKind) {
  const random = seededRandom(20_261_122);
  const below = (n) => Math.floor(random() * n);
  const slot = () => below(beats.rows);
  const { common, wordsAt } = countWords(beats, Array.from({ length: 4 * perKind }, slot));
  const many = (make) => Array.from({ length: perKind }, (_, n) => make(n));

  const range = () => {
    const bpm = 80 + below(80);
    const price = 1_500 + 500 * below(5);
    let key = beats.key[slot()];
    while (key === unknownKey) key = beats.key[slot()];
    const filters = {
      bpm: [bpm, bpm + 5 + below(16)],
      price: [price, price + 500 + 500 * below(8)],
      keys: compatibleKeys(key),
    };
    return { filters, sort: "newest", offset: 0 };
  };
  const misspelt = () => {
    for (;;) {
      const word = wordsAt[below(wordsAt.length)].find((each) => /^[a-z]{6,}$/.test(each));
      if (word === undefined) continue;
      const at = 1 + below(word.length - 2);
      const letter = String.fromCharCode(97 + below(26));
      return word.slice(0, at) + [letter, "", letter + word[at]][below(3)] + word.slice(at + 1);
    }
  };
  const prefix = () => {
    const word = common[below(1_000)];
    return word.slice(0, Math.max(3, Math.ceil(word.length * 0.6)));
  };
  const offset = Math.floor(beats.rows * 0.9);
  return {
    "filters, total and page": many(range),
    "the same and four facets": many(() => ({ ...range(), facets: ["genre", "key", "bpm", "price"] })),
    "genre and producer": many(() => {
      const at = slot();
      return { filters: { genre: beats.genre[at], producer: beats.producer[at] }, sort: "newest", offset: 0 };
    }),
    "page at 90 % of the catalogue": many((n) => ({
      filters: {},
      sort: ["newest", "popular", "price", "bpm"][n % 4],
      offset: offset + 20 * below(100),
    })),
    "one common word": many(() => ({ words: [common[below(30)]] })),
    "two common words": many(() => {
      const first = below(30);
      return { words: [common[first], common[(first + 1 + below(29)) % 30]] };
    }),
    "beginning of a word": many(() => ({ words: [prefix()], prefix: true })),
    "misspelt word": many(() => ({ words: [misspelt()], corrected: true })),
    "five similar beats": many(() => ({ similarTo: slot() + 1 })),
  };
}

function countWords(beats, slots) {
  const counts = new Map();
  const wanted = new Set(slots);
  const wordsAt = [];
  let slot = 0;
  for (const words of beats.words()) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    if (wanted.has(slot++)) wordsAt.push(words);
  }
  const common = [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word);
  return { common: common.filter((word) => /^[a-z]{2,}$/.test(word)), wordsAt };
}

/** Changed beats: another tempo, price and popularity, and one word of the title replaced. */
export function makeChanges(beats, count) {
  const random = seededRandom(7);
  const slots = Array.from({ length: count }, () => Math.floor(random() * beats.rows));
  const { wordsAt } = countWords(beats, slots);
  return slots.map((slot, n) => {
    const tempo = Math.round(1_000 * (60 + 120 * random())) / 1_000;
    const beat = {
      genre: beats.genre[slot],
      producer: beats.producer[slot],
      tempo,
      bpm: Math.max(1, Math.round(tempo)),
      key: Math.floor(random() * 25),
      price: 1_499 + 5 * Math.floor(random() * 1_700),
      duration: beats.duration[slot],
      created: beats.created[slot],
      popularity: Math.floor(random() * 1_000_000),
      words: [...new Set(["love", ...wordsAt[n % wordsAt.length].slice(1)])],
    };
    return { id: slot + 1, beat };
  });
}
