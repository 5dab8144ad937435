import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Database, Queryable } from "../database/connection/connect.ts";
import { transact } from "../database/connection/transaction.ts";
import { parseKey } from "../resources/beats/musical-key.ts";
import { BeatUpsert, type OptionalField } from "../resources/beats/upsert.ts";
import { upsertGenres } from "../resources/genres/upsert.ts";
import { insertSearchWords } from "../resources/search/words/write-words.ts";
import { findOrCreateAccount } from "../resources/users/accounts.ts";
import { insertProducers } from "../resources/users/insert-producers.ts";
import { correctableWords } from "../search-words.ts";
import { type DemoCatalogue, demoCatalogue } from "./catalogue.ts";
import { demoKey } from "./demo-key.ts";

export const demoEmail = "demo@beatmarket.example";
/** As which the demo's beats are known, and so the database that holds them. */
const source = "beatmarket demo";
const fields: OptionalField[] = [
  "genre",
  "key",
  "duration",
  "created_at",
  "play_count",
  "download_count",
  "description",
  "tags",
];

export interface DemoOptions {
  dataDir: string;
  clock: Clock;
  log(text: string): void;
}

/**
 * Gives an empty database the demo catalogue, and whatever database holds it a demo account with a key that works.
 * Null where there is another catalogue: it is left alone. Several instances may start at once on one database: they
 * get one catalogue.
 */
export async function ensureDemo({ query }: Database, options: DemoOptions): Promise<{ key: string } | null> {
  return query.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtext('beatmarket:demo'))`.execute(connection);
    try {
      if (!(await holdsDemo(connection))) {
        if (!(await isEmpty(connection))) return null;
        await seed(connection, options);
      }
      const account = await findOrCreateAccount(query, { email: demoEmail, name: "Demo" });
      return { key: await demoKey(query, account.id, options.dataDir, options.clock) };
    } finally {
      await sql`select pg_advisory_unlock(hashtext('beatmarket:demo'))`.execute(connection).catch(() => {});
    }
  });
}

async function holdsDemo(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`
    select exists (select from beats where source = ${source} and external_id = '1') as holds`.execute(db);
  return rows[0]?.holds === true;
}

async function isEmpty(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ empty: boolean }>`
    select not exists (select from users) and not exists (select from beats) as empty`.execute(db);
  return rows[0]?.empty === true;
}

async function seed(connection: Queryable, { clock, log }: DemoOptions): Promise<void> {
  const catalogue = demoCatalogue(clock.nowMs());
  await transact(connection, (db) => insertCatalogue(db, catalogue, new Date(clock.nowMs())));
  log(`The database was empty; it now holds a demo catalogue of ${catalogue.beats.length} invented beats.`);
}

async function insertCatalogue(db: Queryable, { genres, producers, beats }: DemoCatalogue, now: Date) {
  const texts = [...producers.map(({ displayName }) => displayName), ...beats.map(({ title }) => title)];
  await insertSearchWords(db, texts.flatMap(correctableWords));
  const genreIds = await upsertGenres(db, genres);
  const userIds = await insertProducers(db, producers);
  await new BeatUpsert(fields, now).insert(
    db,
    beats.map((beat, index) => ({
      ...beat,
      ...parseKey(beat.key),
      source,
      externalId: String(index + 1),
      userId: idOf(userIds, beat.producer.username),
      producerName: beat.producer.displayName,
      genreId: idOf(genreIds, beat.genre),
      popularity: 0,
      audioUrl: null,
      coverImage: null,
      createdAtMs: beat.createdAt.getTime(),
    })),
  );
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The demo catalogue refers to ${name}, which it does not have.`);
  return id;
}
