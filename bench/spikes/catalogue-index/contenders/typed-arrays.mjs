import { pageSize, sorts } from "../music.mjs";
import * as bitmap from "./typed-arrays/bitmap.mjs";
import { Dictionary } from "./typed-arrays/dictionary.mjs";
import { Order } from "./typed-arrays/order.mjs";
import { Postings } from "./typed-arrays/postings.mjs";
import { Range } from "./typed-arrays/range.mjs";
import { Similar } from "./typed-arrays/similar.mjs";

const keys = 25;

/** Columns in typed arrays; bitmaps for keys and ranges, sorted orders for pages, postings for words and producers. */
export async function open(beats) {
  const { words, rows, ...columns } = beats;
  const genres = 1 + columns.genre.reduce((a, b) => Math.max(a, b));
  const producers = 1 + columns.producer.reduce((a, b) => Math.max(a, b));
  const all = bitmap.fullBitmap(rows);
  const orders = Object.fromEntries(
    Object.entries(sorts).map(([name, { column }]) => [name, new Order(rows, (slot) => columns[column][slot])]),
  );
  const ranges = { bpm: new Range(columns.bpm, orders.bpm.base), price: new Range(columns.price, orders.price.base) };
  const keySets = Array.from({ length: keys }, () => bitmap.emptyBitmap(rows));
  for (let slot = 0; slot < rows; slot++) bitmap.put(keySets[columns.key[slot]], slot, true);
  const ofColumn = (column, values) =>
    new Postings(
      values,
      (visit) => column.forEach(visit),
      (slot, value) => column[slot] === value,
    );
  const postings = { genre: ofColumn(columns.genre, genres), producer: ofColumn(columns.producer, producers) };
  const similar = new Similar(columns, genres);

  const dictionary = new Dictionary(distinct(words()));
  const retitled = bitmap.emptyBitmap(rows);
  const newWords = new Map();
  let numbers = dictionary.numbers();
  const texts = new Postings(
    dictionary.size,
    (visit) => {
      let slot = 0;
      for (const each of words()) {
        for (const word of each) if (word !== "") visit(numbers.get(word), slot);
        slot++;
      }
    },
    (slot) => !bitmap.has(retitled, slot),
  );
  numbers = undefined;

  const scratch = Array.from({ length: 2 }, () => bitmap.emptyBitmap(rows));
  const scratchSlots = new Uint32Array(rows);
  // What a facet counts, in one byte or two.
  const buckets = {
    ...columns,
    bpm: columns.bpm.map((bpm) => bpm / 10),
    price: Uint8Array.from(columns.price, priceBucket),
  };

  /** Fills `into` with the slots that pass the filters. */
  function select({ genre, producer, keys: wanted, bpm, price }, into) {
    const few = producer === undefined ? genre : producer;
    if (wanted !== undefined)
      bitmap.unionOf(
        wanted.map((key) => keySets[key]),
        into,
      );
    else into.set(all);
    if (few !== undefined) {
      const passing = [];
      postings[producer === undefined ? "genre" : "producer"].forEach(few, (slot) => {
        if (bitmap.has(into, slot) && (genre === undefined || columns.genre[slot] === genre)) passing.push(slot);
      });
      into.fill(0);
      for (const slot of passing) bitmap.put(into, slot, true);
    }
    if (bpm !== undefined) ranges.bpm.restrict(into, ...bpm);
    if (price !== undefined) ranges.price.restrict(into, ...price);
    return into;
  }

  function page(found, total, sort, offset) {
    const ids = [];
    const { column, descending } = sorts[sort];
    const walked = total === 0 ? 0 : ((offset + pageSize) * rows) / total;
    if (found !== all && (offset > 0 || total < walked))
      return best(bitmap.members(found, total), column, descending, offset + pageSize).slice(offset);
    orders[sort].walk(found === all ? offset : 0, descending, (slot) => {
      if (bitmap.has(found, slot)) ids.push(slot + 1);
      return ids.length < Math.min(pageSize, total);
    });
    return ids;
  }

  function best(slots, name, descending, limit) {
    const column = columns[name];
    const isBefore = (a, b) => {
      const difference = column[a] - column[b];
      return descending ? difference > 0 || (difference === 0 && a > b) : difference < 0 || (difference === 0 && a < b);
    };
    const first = [];
    for (let n = 0; n < slots.length; n++) {
      const slot = slots[n];
      if (first.length === limit && !isBefore(slot, first[limit - 1])) continue;
      let at = Math.min(first.length, limit - 1);
      for (; at > 0 && isBefore(slot, first[at - 1]); at--) first[at] = first[at - 1];
      first[at] = slot;
    }
    return first.map((slot) => slot + 1);
  }

  const values = { genre: genres, key: keys, bpm: 100, price: 10 };

  function count(names, filters, found) {
    const without = (name) =>
      filters[name] === undefined ? found : select({ ...filters, [name]: undefined }, scratch[1]);
    const histogram = (name) => bitmap.histogram(without(name === "key" ? "keys" : name), buckets[name], values[name]);
    return Object.fromEntries(names.map((name) => [name, nonZero(histogram(name))]));
  }

  /** The slots with every word; marks one word's slots, and keeps those of the next that are marked. */
  function matching({ words: typed, prefix, corrected }) {
    let count = 0;
    let marks;
    for (const [at, word] of typed.entries()) {
      const numbers = corrected
        ? dictionary.oneErrorFrom(word)
        : prefix
          ? dictionary.startingWith(word)
          : [dictionary.find(word)];
      const next = scratch[at % 2].fill(0);
      count = 0;
      const mark = (slot) => {
        if ((marks !== undefined && !bitmap.has(marks, slot)) || bitmap.has(next, slot)) return;
        bitmap.put(next, slot, true);
        scratchSlots[count++] = slot;
      };
      for (const number of numbers) texts.forEach(number, mark);
      marks = next;
    }
    return scratchSlots.subarray(0, count);
  }

  return {
    list: async ({ filters, sort, offset, facets: names = [] }) => {
      const found = Object.keys(filters).length === 0 ? all : select(filters, scratch[0]);
      const total = found === all ? rows : bitmap.size(found);
      return { total, ids: page(found, total, sort, offset), facets: count(names, filters, found) };
    },
    search: async (query) => {
      const slots = matching(query);
      return { total: slots.length, ids: best(slots, "popularity", true, pageSize) };
    },
    similar: async ({ similarTo }) => similar.find(similarTo - 1, 5),
    change: async (id, { words: newText, ...beat }) => {
      const slot = id - 1;
      const sorted = [...Object.values(orders), similar.order];
      for (const order of sorted) order.remove(slot);
      bitmap.put(keySets[columns.key[slot]], slot, false);
      for (const name of ["genre", "producer"]) {
        if (columns[name][slot] === beat[name]) continue;
        postings[name].remove(columns[name][slot], slot);
        postings[name].add(beat[name], slot);
      }
      for (const [name, value] of Object.entries(beat)) columns[name][slot] = value;
      buckets.bpm[slot] = beat.bpm / 10;
      buckets.price[slot] = priceBucket(beat.price);
      for (const order of sorted) order.insert(slot);
      bitmap.put(keySets[beat.key], slot, true);
      for (const range of Object.values(ranges)) range.update(slot);
      for (const number of newWords.get(slot) ?? []) texts.remove(number, slot);
      bitmap.put(retitled, slot, true);
      newWords.set(
        slot,
        newText.map((word) => dictionary.add(word)),
      );
      for (const number of newWords.get(slot)) texts.add(number, slot);
    },
  };
}

function distinct(texts) {
  const known = new Set();
  for (const words of texts) for (const word of words) if (word !== "") known.add(word);
  return known;
}

const priceBucket = (price) => Math.min(9, Math.floor(price / 1_000));

const nonZero = (counts) =>
  Object.fromEntries(Array.from(counts, (total, value) => [value, total]).filter(([, total]) => total > 0));
