import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { databaseUrl, holdDatabase, withDatabase } from "../../../src/processes/database.ts";
import { bySimilarity, errorKeys, isOneErrorApart, keyFactor, pageSize, similarity, sorts } from "../music.mjs";

const columns = {
  genre: "smallint",
  producer: "integer",
  tempo: "double precision",
  bpm: "smallint",
  key: "smallint",
  price: "integer",
  duration: "integer",
  created: "bigint",
  popularity: "bigint",
};
const names = Object.keys(columns);
const rowsAtOnce = 20_000;

/**
 * A covering B-tree for each order and each pair of filters, GIN for several words, and for a single one an inverted index
 * in a B-tree by popularity, with kept counts. What was slower: a GIN index of genre, key and bpm, BRIN, a table of counts
 * by genre, key, bpm and price.
 */
const indexes = `
  create index on beats (created, id) include (key, bpm, price);
  create index on beats (popularity, id);
  create index on beats (price, id);
  create index on beats (bpm, id);
  create index on beats (key, bpm, price) include (genre);
  create index on beats (key, price) include (bpm);
  create index on beats (bpm, price) include (key);
  create index on beats (producer, genre, created, id);
  create index on beats (genre, key, tempo) include (producer, duration, popularity, id);
  create index on beats using gin (words) with (fastupdate = off);`;

/** The embedded PostgreSQL with its settings, on one connection with prepared statements: the best SQL we found. */
export async function open(beats, folder) {
  const dataDir = join(folder, "postgresql");
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const held = await holdDatabase(dataDir);
  await withDatabase(databaseUrl(held.url, "postgres"), async (client) => {
    await client.query("drop database if exists spike with (force)");
    await client.query("create database spike");
  });
  const client = new Client({ connectionString: databaseUrl(held.url, "spike") });
  await client.connect();
  // Workers of parallel plans take the core that other requests need.
  await client.query("set max_parallel_workers_per_gather = 0");
  const table = names.map((name) => `${name} ${columns[name]} not null`).join(", ");
  await client.query(`
    create table beats (id bigint primary key, ${table}, words text[] not null);
    create table words (word text collate "C" primary key, id integer generated always as identity, beats integer);
    create table postings (word integer, popularity bigint, beat bigint);
    create table word_keys (key text collate "C", word text collate "C", primary key (key, word));`);
  await load(client, beats);
  await client.query(indexes);
  await client.query(`
    insert into words (word, beats) select word, count(*) from (select unnest(words) as word from beats) each group by 1;
    ${insertPostings("true")};
    alter table postings add primary key (word, popularity, beat);
    insert into word_keys select distinct key, word from words,
      lateral (select word as key union select overlay(word placing '' from at for 1) from generate_series(1, length(word)) at) keys;`);
  await client.query("vacuum analyze");
  await client.query("create extension pg_prewarm");
  await client.query(
    "select pg_prewarm(oid) from pg_class where relname ~ '^(beats|words|postings|word_keys)' and relkind in ('r', 'i')",
  );
  const { rows: own } = await client.query("select pg_backend_pid() as pid");
  const statements = new Map();
  const nameOf = (text) => {
    if (!statements.has(text)) statements.set(text, `s${statements.size}`);
    return statements.get(text);
  };
  const run = async (text, values) =>
    (await client.query(values === undefined ? text : { name: nameOf(text), text, values })).rows;
  const cpuMs = () => cpuMsOf(own[0].pid);
  const bytesSql = "select pg_database_size('spike')::float8 as bytes";
  const size = async () => {
    const [{ bytes }] = await run(bytesSql);
    return { diskMb: bytes / 1e6, writeMs: await writeMs(client, cpuMs) };
  };
  const close = async () => {
    await client.end();
    await held.stop();
  };
  return { ...queries(run, beats.rows), size, close, cpuMs };
}

async function load(client, beats) {
  const types = names.map((name, n) => `$${n + 2}::${columns[name]}[]`).join(", ");
  const words = beats.words();
  for (let from = 0; from < beats.rows; from += rowsAtOnce) {
    const to = Math.min(beats.rows, from + rowsAtOnce);
    const ids = Array.from({ length: to - from }, (_, n) => from + n + 1);
    const values = names.map((name) => Array.from(beats[name].subarray(from, to)));
    const texts = ids.map(() => words.next().value.join(" "));
    await client.query(
      `insert into beats select id, ${names.join(", ")}, string_to_array(words, ' ')
       from unnest($1::bigint[], ${types}, $${names.length + 2}::text[]) as row (id, ${names.join(", ")}, words)`,
      [ids, ...values, texts],
    );
  }
}

/** What CPU time the indexes cost for 1,000 more rows, copies of others; a table with a primary key alone is taken off. */
async function writeMs(client, cpuMs) {
  const copied = 10_000;
  const copies = `select id + 100000000, ${names.join(", ")}, words from beats where id % 5 = 2 limit ${copied}`;
  await client.query("begin");
  await client.query("create table bare (like beats, primary key (id))");
  const timed = async (statements) => {
    const startMs = cpuMs();
    for (const statement of statements) await client.query(statement);
    return cpuMs() - startMs;
  };
  const bareMs = await timed([`insert into bare ${copies}`]);
  const indexedMs = await timed([
    `insert into beats ${copies}`,
    `update words set beats = words.beats + added.beats
     from (select unnest(words) as word, count(*) as beats from beats where id > 100000000 group by 1) added
     where words.word = added.word`,
    insertPostings("beats.id > 100000000"),
  ]);
  await client.query("rollback");
  return (1_000 * (indexedMs - bareMs)) / copied;
}

const insertPostings = (which) => `insert into postings select words.id, popularity, beats.id
  from beats cross join unnest(beats.words) as each join words on words.word = each where ${which}`;

const conditions = {
  bpm: (range) => `bpm between ${range[0]} and ${range[1]}`,
  price: (range) => `price between ${range[0]} and ${range[1]}`,
  keys: (keys) => `key in (${keys})`,
  genre: (genre) => `genre = ${genre}`,
  producer: (producer) => `producer = ${producer}`,
};
const facets = { genre: "genre", key: "key", bpm: "bpm / 10", price: "least(9, price / 1000)" };

function queries(run, rows) {
  // Numbers in the text rather than parameters: the planner then chooses by their frequencies, for 0.1 ms.
  const where = (filters, except = "") =>
    Object.entries(filters)
      .filter(([name]) => name !== except)
      .map(([name, value]) => conditions[name](value))
      .join(" and ") || "true";
  const ranked = async (found, values, counted) => {
    const sql = counted
      ? `select coalesce((${counted}), 0) as total, array(${found} order by popularity desc, beat desc limit ${pageSize})::float8[] as ids`
      : `with found as materialized (${found}) select (select count(*)::integer from found) as total,
         array(select beat from found order by popularity desc, beat desc limit ${pageSize})::float8[] as ids`;
    const [{ total, ids }] = await run(sql, values);
    return { total, ids };
  };
  const list = async ({ filters, sort, offset, facets: wanted = [] }) => {
    const { column, descending } = sorts[sort];
    const conditions = where(filters);
    const isAll = conditions === "true";
    const total = isAll
      ? rows
      : (await run(`select count(*)::integer as total from beats where ${conditions}`))[0].total;
    // A page behind the middle is nearer to the other end.
    const isBackwards = isAll && offset > total / 2;
    const direction = descending === isBackwards ? "asc" : "desc";
    const skipped = isBackwards ? Math.max(0, total - offset - pageSize) : offset;
    const page = await run(
      `select id::float8 from beats where ${conditions} order by ${column} ${direction}, id ${direction} limit ${pageSize} offset ${skipped}`,
    );
    const ids = page.map(({ id }) => id);
    const counts = {};
    for (const name of wanted) {
      const others = where(filters, name === "key" ? "keys" : name);
      const counted = await run(
        `select ${facets[name]} as value, count(*)::integer as total from beats where ${others} group by 1`,
      );
      counts[name] = Object.fromEntries(counted.map(({ value, total }) => [value, total]));
    }
    return { total, ids: isBackwards ? ids.reverse() : ids, facets: counts };
  };
  const search = async ({ words, prefix, corrected }) => {
    const ofWords = "select distinct beat, popularity from postings where word = any(array(select id from words where";
    if (corrected) {
      const keys = await run("select distinct word from word_keys where key = any($1)", [errorKeys(words[0])]);
      const right = keys.map(({ word }) => word).filter((word) => isOneErrorApart(words[0], word));
      return ranked(`${ofWords} word = any($1)))`, [right]);
    }
    if (prefix) return ranked(`${ofWords} word >= $1 and word < $2))`, [words[0], `${words[0]}\u{10ffff}`]);
    if (words.length > 1) return ranked("select id as beat, popularity from beats where words @> $1", [words]);
    const word = "from words where word = $1";
    return ranked(`select beat from postings where word = (select id ${word})`, words, `select beats ${word}`);
  };
  const traits = "id::float8, genre, key, tempo, producer, duration, popularity::float8";
  const similar = async ({ similarTo }) => {
    const [own] = await run(`select ${traits} from beats where id = $1`, [similarTo]);
    const all = Array.from({ length: 25 }, (_, key) => key);
    const near = all.filter((key) => keyFactor(own.key, key) > 0);
    const side = (comparison, direction) =>
      `(select * from beats where genre = $1 and key = near_key and tempo ${comparison} aim order by tempo ${direction} limit 20)`;
    const candidates = await run(
      `select ${traits} from unnest($2::smallint[]) near_key, unnest($3::float8[]) aim,
         lateral (${side(">=", "asc")} union all ${side("<", "desc")}) near
       union (select ${traits} from beats where producer = $4 order by created desc, id desc limit 100)`,
      [own.genre, near.length > 0 ? near : all, [own.tempo / 2, own.tempo, own.tempo * 2], own.producer],
    );
    return candidates
      .filter(({ id }) => id !== similarTo)
      .map((beat) => ({ id: beat.id, score: similarity(own, beat) }))
      .sort(bySimilarity)
      .slice(0, 5)
      .map(({ id }) => id);
  };
  const change = async (id, { words, ...beat }) => {
    await run("begin");
    const [before] = await run("select popularity::float8, words from beats where id = $1", [id]);
    const ids = "word in (select id from words where word = any($1))";
    await run(`delete from postings where ${ids} and popularity = $2 and beat = $3`, [
      before.words,
      before.popularity,
      id,
    ]);
    await run("update words set beats = beats - 1 where word = any($1)", [before.words]);
    await run(
      "insert into words (word, beats) select unnest($1::text[]), 1 on conflict (word) do update set beats = words.beats + 1",
      [words],
    );
    for (const word of words)
      await run("insert into word_keys select unnest($1::text[]), $2 on conflict do nothing", [errorKeys(word), word]);
    const set = names.map((name, n) => `${name} = $${n + 3}`).join(", ");
    await run(`update beats set words = $2, ${set} where id = $1`, [id, words, ...names.map((name) => beat[name])]);
    await run(`${insertPostings("beats.id = $1")}`, [id]);
    await run("commit");
  };
  return { list, search, similar, change };
}

/** CPU time of a PostgreSQL process, from the kernel: in nanoseconds where it says, otherwise in ticks of 10 ms. */
function cpuMsOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    return 10 * (Number(fields[11]) + Number(fields[12]));
  }
}
