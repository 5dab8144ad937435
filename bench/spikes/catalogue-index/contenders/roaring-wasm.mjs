import { pageSize, sorts } from "../music.mjs";
import { importInstalled } from "./packages.mjs";
import { Order } from "./typed-arrays/order.mjs";

const keys = 25;
const quantiles = 32;

/**
 * Compressed bitmaps for keys, ranges and words. They are sets and no more: columns and orders are those of the typed
 * arrays, and typing errors and similar beats would be, too.
 */
export async function open(beats, folder) {
  const { default: roaring } = await importInstalled(folder, "roaring-wasm");
  const { RoaringBitmap32, roaringLibraryInitialize } = roaring;
  await roaringLibraryInitialize();
  const { words, rows, ...columns } = beats;
  const orders = Object.fromEntries(
    Object.entries(sorts).map(([name, { column }]) => [name, new Order(rows, (slot) => columns[column][slot])]),
  );
  const setOf = (slots) => {
    const set = new RoaringBitmap32(slots);
    set.runOptimize();
    return set;
  };
  const slotsWhere = (test) => Uint32Array.from(orders.newest.base.filter(test)).sort();
  const keySets = Array.from({ length: keys }, (_, key) => setOf(slotsWhere((slot) => columns.key[slot] === key)));
  const producers = new Map();
  const range = (column, { base }) => {
    const at = (n) => column[base[Math.floor((n * rows) / quantiles)]];
    const bounds = [...new Set(Array.from({ length: quantiles }, (_, n) => at(n))), Number.POSITIVE_INFINITY];
    return { column, bounds, below: bounds.map((bound) => setOf(slotsWhere((slot) => column[slot] < bound))) };
  };
  const ranges = { bpm: range(columns.bpm, orders.bpm), price: range(columns.price, orders.price) };

  const lists = new Map();
  let slot = 0;
  for (const each of words()) {
    for (const word of each) {
      const list = lists.get(word);
      if (list === undefined) lists.set(word, [slot]);
      else list.push(slot);
    }
    const own = producers.get(columns.producer[slot]);
    if (own === undefined) producers.set(columns.producer[slot], [slot]);
    else own.push(slot);
    slot++;
  }
  const sorted = [...lists.keys()].sort();
  const texts = new Map(
    sorted.map((word) => [
      word,
      lists.get(word).length < 64 ? Uint32Array.from(lists.get(word)) : setOf(lists.get(word)),
    ]),
  );
  const textOf = (word) => {
    const found = texts.get(word) ?? [];
    return found instanceof RoaringBitmap32 ? found.clone() : new RoaringBitmap32(found);
  };

  function restrict({ column, bounds, below }, set, [from, to]) {
    const first = Math.max(
      0,
      bounds.findLastIndex((bound) => bound <= from),
    );
    const last = bounds.findIndex((bound) => bound > to);
    set.andInPlace(below[last]);
    if (first > 0) set.andNotInPlace(below[first]);
    const edge = RoaringBitmap32.and(set, below[first + 1]);
    edge.orInPlace(RoaringBitmap32.andNot(set, below[Math.max(0, last - 1)]));
    const outside = edge.toUint32Array().filter((slot) => column[slot] < from || column[slot] > to);
    set.removeMany(outside);
    edge.dispose();
  }

  function select({ genre, producer, keys: wanted, bpm, price }) {
    const set =
      wanted === undefined ? new RoaringBitmap32() : RoaringBitmap32.orMany(wanted.map((key) => keySets[key]));
    if (wanted === undefined && producer === undefined) set.addRange(0, rows);
    if (producer !== undefined) set.addMany(producers.get(producer).filter((slot) => columns.genre[slot] === genre));
    if (bpm !== undefined) restrict(ranges.bpm, set, bpm);
    if (price !== undefined) restrict(ranges.price, set, price);
    return set;
  }

  function best(slots, name) {
    const column = columns[name];
    const first = [];
    for (const slot of slots) {
      const isAfter = (other) => column[slot] < column[other] || (column[slot] === column[other] && slot < other);
      if (first.length === pageSize && isAfter(first[pageSize - 1])) continue;
      let at = Math.min(first.length, pageSize - 1);
      for (; at > 0 && !isAfter(first[at - 1]); at--) first[at] = first[at - 1];
      first[at] = slot;
    }
    return first.map((slot) => slot + 1);
  }

  const bucketOf = {
    genre: (slot) => columns.genre[slot],
    key: (slot) => columns.key[slot],
    bpm: (slot) => Math.floor(columns.bpm[slot] / 10),
    price: (slot) => Math.min(9, Math.floor(columns.price[slot] / 1_000)),
  };
  function histogram(set, name) {
    const counts = new Uint32Array(1_000);
    for (const slot of set.toUint32Array()) counts[bucketOf[name](slot)]++;
    return Object.fromEntries([...counts.entries()].filter(([, total]) => total > 0));
  }

  return {
    list: async ({ filters, sort, offset, facets = [] }) => {
      if (Object.keys(filters).length === 0) return undefined;
      const found = select(filters);
      const total = found.size;
      let ids = [];
      if (total < (pageSize * rows) / Math.max(1, total)) ids = best(found.toUint32Array(), sorts[sort].column);
      else
        orders[sort].walk(offset, sorts[sort].descending, (slot) => {
          if (found.has(slot)) ids.push(slot + 1);
          return ids.length < Math.min(pageSize, total);
        });
      const counts = {};
      for (const name of facets) {
        const others = select({ ...filters, [name === "key" ? "keys" : name]: undefined });
        counts[name] = histogram(others, name);
        others.dispose();
      }
      found.dispose();
      return { total, ids, facets: counts };
    },
    search: async ({ words: [first, ...others], prefix, corrected }) => {
      if (corrected) return undefined;
      const found = textOf(first);
      if (prefix) {
        for (let at = sorted.findIndex((word) => word >= first); sorted[at]?.startsWith(first); at++) {
          const text = textOf(sorted[at]);
          found.orInPlace(text);
          text.dispose();
        }
      }
      for (const word of others) found.andInPlace(textOf(word));
      const answer = { total: found.size, ids: best(found.toUint32Array(), "popularity") };
      found.dispose();
      return answer;
    },
    similar: async () => undefined,
    change: async (id, beat) => {
      const slot = id - 1;
      for (const order of Object.values(orders)) order.remove(slot);
      keySets[columns.key[slot]].delete(slot);
      keySets[beat.key].add(slot);
      for (const [name, column] of Object.entries(columns)) column[slot] = beat[name];
      for (const order of Object.values(orders)) order.insert(slot);
      for (const { column, bounds, below } of Object.values(ranges))
        for (const [n, bound] of bounds.entries()) column[slot] < bound ? below[n].add(slot) : below[n].delete(slot);
    },
  };
}
