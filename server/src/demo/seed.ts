import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Database, Queryable } from "../database/connect.ts";
import { insertBeats } from "../resources/beats/insert-beats.ts";
import { insertGenres } from "../resources/genres/insert-genres.ts";
import { insertSearchWords } from "../resources/search/write-words.ts";
import { createAccount, findAccount } from "../resources/users/accounts.ts";
import { insertProducers } from "../resources/users/insert-producers.ts";
import { correctableWords } from "../search-words.ts";
import { type DemoCatalogue, demoCatalogue } from "./catalogue.ts";
import { demoKey } from "./demo-key.ts";

export const demoEmail = "demo@beatmarket.example";

export interface DemoOptions {
  dataDir: string;
  clock: Clock;
  log(text: string): void;
}

/**
 * Gives an empty database the demo catalogue and a demo account, and the account a key that works. Null where there
 * is a catalogue without a demo account: a real one, which is left alone. Several instances may start at once on one
 * database: they get one catalogue.
 */
export async function ensureDemo(database: Database, options: DemoOptions): Promise<{ key: string } | null> {
  const connection = await database.driver.reserve();
  try {
    await connection`select pg_advisory_lock(hashtext('beatmarket:demo'))`;
    const db = database.query;
    const isEmpty = await isWithoutUsersAndBeats(db);
    if (isEmpty) await seed(database, options);
    const account = await findAccount(db, demoEmail);
    if (account === null) return null;
    return { key: await demoKey(db, account.id, options.dataDir, options.clock) };
  } finally {
    await connection`select pg_advisory_unlock(hashtext('beatmarket:demo'))`.catch(() => {});
    connection.release();
  }
}

async function isWithoutUsersAndBeats(db: Queryable): Promise<boolean> {
  const { rows } = await sql<{ empty: boolean }>`
    select not exists (select from users) and not exists (select from beats) as empty`.execute(db);
  return rows[0]?.empty === true;
}

async function seed({ query, driver }: Database, { clock, log }: DemoOptions): Promise<void> {
  const catalogue = demoCatalogue(clock.nowMs());
  // Outside the transaction, since a word too many does no harm.
  await insertSearchWords(driver, wordsOf(catalogue));
  await query.transaction().execute(async (transaction) => {
    await insertCatalogue(transaction, catalogue);
    await createAccount(transaction, { email: demoEmail, name: "Demo" });
  });
  log(`The database was empty; it now holds a demo catalogue of ${catalogue.beats.length} invented beats.`);
}

const wordsOf = ({ producers, beats }: DemoCatalogue): string[] =>
  [...producers.map(({ displayName }) => displayName), ...beats.map(({ title }) => title)].flatMap(correctableWords);

async function insertCatalogue(transaction: Queryable, { genres, producers, beats }: DemoCatalogue): Promise<void> {
  const genreIds = await insertGenres(transaction, genres);
  const userIds = await insertProducers(transaction, producers);
  await insertBeats(
    transaction,
    beats.map((beat) => ({
      ...beat,
      userId: idOf(userIds, beat.producer.username),
      producerName: beat.producer.displayName,
      genreId: idOf(genreIds, beat.genre),
    })),
  );
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The demo catalogue refers to ${name}, which it does not have.`);
  return id;
}
