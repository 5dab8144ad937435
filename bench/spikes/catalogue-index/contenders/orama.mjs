import { pageSize, sorts } from "../music.mjs";
import { importInstalled } from "./packages.mjs";

/** Orama, all in memory, in JavaScript. */
export async function open(beats, folder) {
  const { create, insertMultiple, remove, insert, search } = await importInstalled(folder, "@orama/orama");
  const numbers = ["genre", "producer", "bpm", "key", "price", "created", "popularity"];
  const schema = Object.fromEntries(numbers.map((name) => [name, "number"]));
  const db = create({ schema: { words: "string", ...schema, bpmTens: "number" } });
  const texts = beats.words();
  const documentOf = (id, words, read) => ({
    id: String(id),
    words: words.join(" "),
    ...Object.fromEntries(numbers.map((name) => [name, read(name)])),
    bpmTens: Math.floor(read("bpm") / 10),
  });
  for (let from = 0; from < beats.rows; from += 5_000) {
    const length = Math.min(5_000, beats.rows - from);
    const documents = Array.from({ length }, (_, n) =>
      documentOf(from + n + 1, texts.next().value, (name) => beats[name][from + n]),
    );
    await insertMultiple(db, documents, 5_000);
  }

  const idsOf = ({ count, hits }) => ({ total: count, ids: hits.map(({ id }) => Number(id)) });
  const range = (values) => values.map((at) => ({ from: at, to: at }));
  return {
    list: async ({ filters: { bpm, price, keys, genre, producer }, sort, offset, facets = [] }) => {
      const where = {
        ...(bpm && { bpm: { between: bpm } }),
        ...(price && { price: { between: price } }),
        ...(genre !== undefined && { genre: { eq: genre } }),
        ...(producer !== undefined && { producer: { eq: producer } }),
      };
      const { column, descending } = sorts[sort];
      const query = {
        term: "",
        limit: pageSize,
        offset,
        sortBy: { property: column, order: descending ? "DESC" : "ASC" },
      };
      // Several numbers of one field cannot be asked for: one search for each key, the first page only of the first.
      if (keys) {
        const parts = [];
        for (const key of keys) parts.push(await search(db, { ...query, where: { ...where, key: { eq: key } } }));
        const total = parts.reduce((sum, { count }) => sum + count, 0);
        const hits = parts.flatMap((part) => part.hits);
        const sorted = hits.sort((a, b) => b.document.created - a.document.created || b.id - a.id).slice(0, pageSize);
        return facets.length > 0 ? undefined : { ...idsOf({ count: total, hits: sorted }), facets: {} };
      }
      const facet = { key: { ranges: range(Array.from({ length: 25 }, (_, key) => key)) } };
      return {
        ...idsOf(await search(db, { ...query, where, ...(facets.length > 0 && { facets: facet }) })),
        facets: {},
      };
    },
    search: async ({ words, prefix, corrected }) =>
      idsOf(
        await search(db, {
          term: words.join(" "),
          properties: ["words"],
          limit: pageSize,
          threshold: 0,
          exact: !prefix && !corrected,
          tolerance: corrected ? 1 : 0,
          sortBy: { property: "popularity", order: "DESC" },
        }),
      ),
    similar: async () => undefined,
    change: async (id, { words, ...beat }) => {
      await remove(db, String(id));
      await insert(
        db,
        documentOf(id, words, (name) => beat[name]),
      );
    },
  };
}
