import { bySimilarity, facetsOf, isOneErrorApart, pageSize, similarity, sorts } from "../music.mjs";

/** The reference: looks at every beat for every query. Slow, and too simple to be wrong. */
export async function open(beats) {
  const words = [...beats.words()];
  const slots = Array.from({ length: beats.rows }, (_, slot) => slot);
  const at = (slot) => Object.fromEntries(traits.map((name) => [name, beats[name][slot]]));

  const tests = {
    bpm: ([from, to], slot) => beats.bpm[slot] >= from && beats.bpm[slot] <= to,
    price: ([from, to], slot) => beats.price[slot] >= from && beats.price[slot] <= to,
    keys: (keys, slot) => keys.includes(beats.key[slot]),
    genre: (genre, slot) => beats.genre[slot] === genre,
    producer: (producer, slot) => beats.producer[slot] === producer,
  };
  const matches = (filters, except = "") =>
    Object.entries(filters)
      .filter(([name]) => name !== except)
      .reduce((left, [name, value]) => left.filter((slot) => tests[name](value, slot)), slots);
  const page = (found, sort, offset) => {
    const { column, descending } = sorts[sort];
    const ascending = (a, b) => beats[column][a] - beats[column][b] || a - b;
    const sorted = found.toSorted(descending ? (a, b) => ascending(b, a) : ascending);
    return sorted.slice(offset, offset + pageSize).map((slot) => slot + 1);
  };
  const facet = (name, filters) => {
    const counts = {};
    for (const slot of matches(filters, name === "key" ? "keys" : name)) {
      const value = facetsOf[name](beats, slot);
      counts[value] = (counts[value] ?? 0) + 1;
    }
    return counts;
  };

  return {
    list: async ({ filters, sort, offset, facets = [] }) => {
      const found = matches(filters);
      const counts = Object.fromEntries(facets.map((name) => [name, facet(name, filters)]));
      return { total: found.length, ids: page(found, sort, offset), facets: counts };
    },
    search: async ({ words: typed, prefix, corrected }) => {
      const fits = (word, each) =>
        corrected ? isOneErrorApart(word, each) : prefix ? each.startsWith(word) : each === word;
      const found = slots.filter((slot) => typed.every((word) => words[slot].some((each) => fits(word, each))));
      return { total: found.length, ids: page(found, "popular", 0) };
    },
    similar: async ({ similarTo }) => {
      const own = at(similarTo - 1);
      return slots
        .filter((slot) => slot + 1 !== similarTo)
        .map((slot) => ({ id: slot + 1, score: similarity(own, at(slot)) }))
        .sort(bySimilarity)
        .slice(0, 5)
        .map(({ id }) => id);
    },
    change: async (id, beat) => {
      for (const name of traits) beats[name][id - 1] = beat[name];
      words[id - 1] = beat.words;
    },
  };
}

const traits = ["genre", "producer", "tempo", "bpm", "key", "price", "duration", "created", "popularity"];
