import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRows } from "../../src/catalogue/seeded/seeded-rows.ts";

/**
 * The beats as columns, by slot 0 … rows-1; a beat's id is its slot + 1. `words()` gives the words of each beat's title
 * and producer, in the order of slots, one at a time so that no contender has to hold them all.
 */
const types = {
  genre: Uint16Array,
  producer: Uint32Array,
  tempo: Float64Array,
  bpm: Uint16Array,
  key: Uint8Array,
  price: Uint32Array,
  duration: Uint32Array,
  created: Float64Array,
  popularity: Float64Array,
};

/** Reads the seeded catalogue of this size from `folder`, where the first call writes it. */
export function readCatalogue(folder, rows) {
  const place = join(folder, `catalogue-${rows}`);
  if (!existsSync(place)) writeOnce(place, rows);
  const columns = Object.fromEntries(
    Object.entries(types).map(([name, Type]) => [
      name,
      new Type(new Uint8Array(readFileSync(join(place, name))).buffer),
    ]),
  );
  return { rows, ...columns, words: () => lines(join(place, "words")) };
}

function writeOnce(place, rows) {
  const columns = Object.fromEntries(Object.entries(types).map(([name, Type]) => [name, new Type(rows)]));
  const genres = new Map();
  const producers = new Map();
  const texts = [];
  let slot = 0;
  for (const row of seededRows(rows, 1)) {
    columns.genre[slot] = ordinal(genres, row.genre);
    columns.producer[slot] = ordinal(producers, row.artist);
    columns.tempo[slot] = Number(row.tempo);
    columns.bpm[slot] = Math.max(1, Math.round(columns.tempo[slot]));
    columns.key[slot] = keyCode(row.key, row.mode);
    columns.price[slot] = Math.round(Number(row.price) * 100);
    columns.duration[slot] = Math.round(Number(row.duration) / 1_000);
    columns.created[slot] = Date.parse(row.release_date) / 1_000;
    columns.popularity[slot] = Number(row.play_count) * 128 + Number(row.popularity);
    texts.push([...new Set(wordsOf(`${row.title} ${row.artist}`))].join(" "));
    slot++;
  }
  mkdirSync(`${place}.new`, { recursive: true });
  for (const [name, column] of Object.entries(columns)) writeFileSync(join(`${place}.new`, name), column);
  writeFileSync(join(`${place}.new`, "words"), `${texts.join("\n")}\n`);
  renameSync(`${place}.new`, place);
}

const ordinal = (known, name) => {
  if (!known.has(name)) known.set(name, known.size);
  return known.get(name);
};

const wordsOf = (text) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** The place on the circle of fifths: 0-11 major from C, 12-23 minor from A, 24 unknown. */
function keyCode(pitch, mode) {
  const isMajor = mode === "1" || /^maj/i.test(mode);
  const isMinor = mode === "0" || /^min/i.test(mode);
  if (pitch === "" || !(isMajor || isMinor)) return 24;
  const relativeMajor = isMajor ? Number(pitch) : Number(pitch) + 3;
  return (isMajor ? 0 : 12) + ((relativeMajor * 7) % 12);
}

function* lines(file) {
  const bytes = readFileSync(file);
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(10, from);
    yield bytes.toString("utf8", from, to).split(" ");
    from = to + 1;
  }
}
