import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Database, Queryable } from "../database/connection/connect.ts";
import { transact } from "../database/connection/transaction.ts";
import { parseKey } from "../music/musical-key.ts";
import { optionalFields } from "../resources/beats/beat.ts";
import { BeatUpsert } from "../resources/beats/write/upsert.ts";
import { upsertGenres } from "../resources/genres/upsert.ts";
import { findOrCreateAccount } from "../resources/users/accounts.ts";
import { insertProducers } from "../resources/users/insert-producers.ts";
import { type DemoCatalogue, demoCatalogue } from "./catalogue.ts";
import { demoKey } from "./demo-key.ts";

export const demoEmail = "demo@beatmarket.example";
/** The source of the demo's beats, which also identifies a database that holds them. */
export const demoSource = "beatmarket demo";

export interface DemoOptions {
  dataDir: string;
  clock: Clock;
  log(text: string): void;
}

/**
 * Fills an empty database with the demo catalogue, and ensures that a database with the demo catalogue has a demo account
 * with a working key. Null for a database with another catalogue, which stays unchanged. Safe for several instances that
 * start at once on one database.
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
    select exists (select from beats where source = ${demoSource} and external_id = '1') as holds`.execute(db);
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
  const genreIds = await upsertGenres(db, genres);
  const userIds = await insertProducers(db, producers);
  await new BeatUpsert(optionalFields, now).insert(
    db,
    beats.map((beat, index) => ({
      ...beat,
      ...columnsOfKey(beat.key),
      source: demoSource,
      external_id: String(index + 1),
      user_id: idOf(userIds, beat.producer.username),
      producer_name: beat.producer.displayName,
      genre_id: idOf(genreIds, beat.genre),
    })),
  );
}

function columnsOfKey(text: string): { key: string; key_code: number } {
  const { key, keyCode } = parseKey(text);
  return { key, key_code: keyCode };
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The demo catalogue refers to ${name}, which it does not have.`);
  return id;
}
