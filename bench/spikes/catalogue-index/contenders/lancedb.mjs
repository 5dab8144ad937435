import { rmSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { pageSize, sorts } from "../music.mjs";
import { importInstalled } from "./packages.mjs";

const numbers = ["id", "genre", "producer", "tempo", "bpm", "key", "price", "duration", "created", "popularity"];
const indexed = { genre: "bitmap", key: "bitmap", producer: "btree", bpm: "btree", price: "btree", id: "btree" };

/** LanceDB: columns on disk read by native code, scalar indexes, and its own full-text index. */
export async function open(beats, folder) {
  const lance = await importInstalled(folder, "@lancedb/lancedb");
  const place = join(folder, "lancedb");
  rmSync(place, { recursive: true, force: true });
  const db = await lance.connect(place);
  const arrow = await importInstalled(folder, "apache-arrow");
  const fields = numbers.map((name) => [
    name,
    name === "tempo" || name === "popularity" ? new arrow.Float64() : new arrow.Int32(),
  ]);
  const schema = new arrow.Schema(
    [...fields, ["words", new arrow.Utf8()]].map(([name, type]) => new arrow.Field(name, type)),
  );
  const texts = beats.words();
  let table;
  for (let from = 0; from < beats.rows; from += 50_000) {
    const length = Math.min(50_000, beats.rows - from);
    const rows = Array.from({ length }, (_, n) => ({
      ...Object.fromEntries(numbers.slice(1).map((name) => [name, beats[name][from + n]])),
      id: from + n + 1,
      words: texts.next().value.join(" "),
    }));
    if (table === undefined) table = await db.createTable("beats", rows, { schema });
    else await table.add(lance.makeArrowTable(rows, { schema }));
  }
  const { Index, MatchQuery, BooleanQuery, Occur } = lance;
  for (const [column, kind] of Object.entries(indexed)) await table.createIndex(column, { config: Index[kind]() });
  await table.createIndex("words", {
    config: Index.fts({
      withPosition: false,
      stem: false,
      removeStopWords: false,
      asciiFolding: false,
      maxTokenLength: 64,
    }),
  });
  await table.optimize();

  const conditions = {
    bpm: ([from, to]) => `bpm >= ${from} and bpm <= ${to}`,
    price: ([from, to]) => `price >= ${from} and price <= ${to}`,
    keys: (keys) => `key in (${keys})`,
    genre: (genre) => `genre = ${genre}`,
    producer: (producer) => `producer = ${producer}`,
  };
  const where = (filters, except = "") =>
    Object.entries(filters)
      .filter(([name]) => name !== except)
      .map(([name, value]) => conditions[name](value))
      .join(" and ") || "true";
  const facets = {
    genre: (row) => row.genre,
    key: (row) => row.key,
    bpm: (row) => Math.floor(row.bpm / 10),
    price: (row) => Math.min(9, Math.floor(row.price / 1_000)),
  };

  return {
    list: async ({ filters, sort, offset, facets: names = [] }) => {
      const { column, descending } = sorts[sort];
      const ordering = [column, "id"].map((columnName) => ({ columnName, ascending: !descending, nullsFirst: false }));
      const query = table
        .query()
        .where(where(filters))
        .select(["id", column])
        .withRowId()
        .orderBy(ordering)
        .limit(pageSize)
        .offset(offset);
      const total = await table.countRows(where(filters));
      const ids = (await query.toArray()).map(({ id }) => Number(id));
      const counts = {};
      // It does not group: the rows come here to be counted.
      for (const name of names) {
        const others = where(filters, name === "key" ? "keys" : name);
        const found = await table.query().where(others).select([name]).toArray();
        counts[name] = {};
        for (const row of found) counts[name][facets[name](row)] = (counts[name][facets[name](row)] ?? 0) + 1;
      }
      return { total, ids, facets: counts };
    },
    search: async ({ words, prefix, corrected }) => {
      if (prefix) return undefined;
      const terms = words.map((word) => new MatchQuery(word, "words", { fuzziness: corrected ? 1 : 0 }));
      const query = terms.length === 1 ? terms[0] : new BooleanQuery(terms.map((term) => [Occur.Must, term]));
      // It ranks by relevance alone, and counts no matches: all of them come here.
      const found = await table
        .query()
        .fullTextSearch(query)
        .select(["id", "popularity", "_score"])
        .limit(beats.rows ?? 1_000_000)
        .toArray();
      const ranked = found.sort((a, b) => b.popularity - a.popularity || b.id - a.id);
      return { total: found.length, ids: ranked.slice(0, pageSize).map(({ id }) => Number(id)) };
    },
    similar: async () => undefined,
    change: async (id, { words, ...beat }) => {
      const values = { ...beat, id, words: words.join(" ") };
      await table.update({ where: `id = ${id}`, values });
    },
    size: async () => ({ diskMb: (await bytesOf(place)) / 1e6 }),
  };
}

async function bytesOf(folder) {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name))),
  );
  return sizes.reduce((sum, { size }) => sum + size, 0);
}
