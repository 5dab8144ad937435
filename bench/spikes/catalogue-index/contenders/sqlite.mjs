import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { bySimilarity, errorKeys, isOneErrorApart, keyFactor, pageSize, similarity, sorts } from "../music.mjs";

const columns = ["genre", "producer", "tempo", "bpm", "key", "price", "duration", "created", "popularity"];

/** node:sqlite: covering B-trees for filters and orders, FTS5 without positions for words, keys for typing errors. */
export async function open(beats, folder) {
  const file = join(folder, `sqlite-${beats.rows}.db`);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
  const db = new DatabaseSync(file);
  db.exec(`
    pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -262144; pragma mmap_size = 2000000000;
    create table beats (id integer primary key, ${columns.map((name) => `${name} ${name === "tempo" ? "real" : "integer"}`)}, words text);
    create virtual table texts using fts5 (words, content = '', contentless_delete = 1, detail = none, prefix = '2 3 4', tokenize = 'unicode61 remove_diacritics 0');
    create table word_keys (key text, word text, primary key (key, word)) without rowid;`);
  const insert = db.prepare(`insert into beats values (?, ${columns.map(() => "?")}, ?)`);
  const insertText = db.prepare("insert into texts (rowid, words) values (?, ?)");
  const insertKey = db.prepare("insert or ignore into word_keys values (?, ?)");
  const known = new Set();
  const learn = (words) => {
    for (const word of words) {
      if (known.has(word)) continue;
      known.add(word);
      for (const key of errorKeys(word)) insertKey.run(key, word);
    }
  };
  db.exec("begin");
  let slot = 0;
  for (const words of beats.words()) {
    const id = slot + 1;
    insert.run(id, ...columns.map((name) => beats[name][slot]), words.join(" "));
    insertText.run(id, words.join(" "));
    learn(words);
    slot++;
  }
  known.clear();
  db.exec(`
    commit;
    create index by_newest on beats (created, id, key, bpm, price);
    create index by_popular on beats (popularity, id);
    create index by_price on beats (price, id);
    create index by_bpm on beats (bpm, id);
    create index by_key on beats (key, bpm, price, genre);
    create index by_key_price on beats (key, price, bpm);
    create index by_range on beats (bpm, key, price);
    create index by_producer on beats (producer, genre, created, id);
    create index by_likeness on beats (genre, key, tempo, producer, duration, popularity);
    insert into texts (texts) values ('optimize');
    analyze;`);

  const prepared = new Map();
  const run = (sql, values) => {
    if (!prepared.has(sql)) prepared.set(sql, db.prepare(sql));
    return prepared.get(sql).all(...values);
  };
  const conditions = {
    bpm: ["bpm between ? and ?", (range) => range],
    price: ["price between ? and ?", (range) => range],
    keys: ["key in (select value from json_each(?))", (keys) => [JSON.stringify(keys)]],
    genre: ["genre = ?", (genre) => [genre]],
    producer: ["producer = ?", (producer) => [producer]],
  };
  const where = (filters, except = "") => {
    const used = Object.entries(filters).filter(([name]) => name !== except);
    return {
      sql: used.map(([name]) => conditions[name][0]).join(" and ") || "true",
      values: used.flatMap(([name, value]) => conditions[name][1](value)),
    };
  };
  const facets = { genre: "genre", key: "key", bpm: "bpm / 10", price: "min(9, price / 1000)" };
  const at = (id) => run("select * from beats where id = ?", [id])[0];

  return {
    list: async ({ filters, sort, offset, facets: names = [] }) => {
      const { sql, values } = where(filters);
      const { column, descending } = sorts[sort];
      const direction = descending ? "desc" : "asc";
      const [{ total }] = run(`select count(*) as total from beats where ${sql}`, values);
      const ids = run(
        `select id from beats where ${sql} order by ${column} ${direction}, id ${direction} limit ${pageSize} offset ?`,
        [...values, offset],
      ).map(({ id }) => id);
      const count = (name) => {
        const others = where(filters, name === "key" ? "keys" : name);
        const rows = run(
          `select ${facets[name]} as value, count(*) as total from beats where ${others.sql} group by 1`,
          others.values,
        );
        return Object.fromEntries(rows.map((row) => [row.value, row.total]));
      };
      return { total, ids, facets: Object.fromEntries(names.map((name) => [name, count(name)])) };
    },
    search: async ({ words, prefix, corrected }) => {
      const terms = words.map((word) => {
        if (!corrected) return `"${word}"${prefix ? "*" : ""}`;
        const keys = run(`select distinct word from word_keys where key in (select value from json_each(?))`, [
          JSON.stringify(errorKeys(word)),
        ]);
        return `(${
          keys
            .filter((each) => isOneErrorApart(word, each.word))
            .map((each) => `"${each.word}"`)
            .join(" OR ") || '""'
        })`;
      });
      const match = terms.join(" AND ");
      if (match === '("")') return { total: 0, ids: [] };
      const [{ total }] = run("select count(*) as total from texts where texts match ?", [match]);
      const ids = run(
        `select id from beats where id in (select rowid from texts where texts match ?) order by popularity desc, id desc limit ${pageSize}`,
        [match],
      ).map(({ id }) => id);
      return { total, ids };
    },
    similar: async ({ similarTo }) => {
      const own = at(similarTo);
      const near = Array.from({ length: 25 }, (_, key) => key).filter((key) => keyFactor(own.key, key) > 0);
      const candidates = run("select * from beats where producer = ? order by created desc, id desc limit 100", [
        own.producer,
      ]);
      for (const key of near.length > 0 ? near : Array.from({ length: 25 }, (_, each) => each)) {
        for (const aim of [own.tempo, own.tempo * 2, own.tempo / 2]) {
          candidates.push(
            ...run(
              "select id, genre, key, tempo, producer, duration, popularity from beats where genre = ? and key = ? and tempo >= ? order by tempo limit 45",
              [own.genre, key, aim],
            ),
            ...run(
              "select id, genre, key, tempo, producer, duration, popularity from beats where genre = ? and key = ? and tempo < ? order by tempo desc limit 45",
              [own.genre, key, aim],
            ),
          );
        }
      }
      const scores = new Map(candidates.map((beat) => [beat.id, similarity(own, beat)]));
      scores.delete(similarTo);
      return [...scores]
        .map(([id, score]) => ({ id, score }))
        .sort(bySimilarity)
        .slice(0, 5)
        .map(({ id }) => id);
    },
    change: async (id, { words, ...beat }) => {
      run(`update beats set ${columns.map((name) => `${name} = ?`)}, words = ? where id = ?`, [
        ...columns.map((name) => beat[name]),
        words.join(" "),
        id,
      ]);
      run("delete from texts where rowid = ?", [id]);
      insertText.run(id, words.join(" "));
      learn(words);
    },
    size: async () => ({ diskMb: statSync(file).size / 1e6 }),
    close: async () => db.close(),
  };
}
