import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { parseKey } from "@beatmarket/foundation/music/musical-key.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import { permissions } from "../access/roles.ts";
import type { Database, Queryable } from "../database/connect.ts";
import { isWellFormed, sha256 } from "../resources/api-keys/key-format.ts";
import {
  type ApiKey,
  createKey,
  findKeyBySha256,
  isExpired,
  listKeys,
  maxActiveKeys,
  revokeKey,
} from "../resources/api-keys/queries.ts";
import { optionalFields } from "../resources/beats/beat.ts";
import { BeatUpsert } from "../resources/beats/write/upsert.ts";
import { upsertGenres } from "../resources/genres/genres.ts";
import { findOrCreateAccount } from "../resources/users/accounts.ts";
import { insertProducers, markProducer } from "../resources/users/producers.ts";
import { type DemoBeat, type DemoCatalogue, demoCatalogue } from "./catalogue.ts";
import { ownBeats, placeDemoOrders, type TradeTerms } from "./trade.ts";

/**
 * The demo account's key for this data folder, stored in `DATA_DIR/demo-key` (mode 0600): plan plus, all permissions.
 * If the file is missing or its key is no longer valid, creates a new key and revokes the previous key of this machine.
 * Call it from one process at a time.
 */
async function demoKey(db: Queryable, userId: number, dataDir: string, clock: Clock): Promise<string> {
  const path = join(dataDir, "demo-key");
  const now = new Date(clock.nowMs());
  const storedKey = await readStoredKey(path);
  if (storedKey !== null && isWellFormed(storedKey)) {
    const existingKey = await findKeyBySha256(db, sha256(storedKey));
    if (existingKey?.userId === userId && isActive(existingKey, now)) return storedKey;
  }
  const name = `Demo key of ${hostname()}`.slice(0, 100);
  await revokeLost(db, userId, name, now);
  const { key } = await createKey(db, { userId, name, plan: "plus", permissions, expiresAt: null }, now);
  await keep(path, key);
  return key;
}

/** Revokes lost keys of this machine. Other machines on the same database keep theirs, up to the limit of keys. */
async function revokeLost(db: Queryable, userId: number, name: string, now: Date): Promise<void> {
  const keys = await listKeys(db, { ownerId: userId }, { limit: 100 });
  const missing = keys
    .filter((key) => isActive(key, now))
    .filter((key, newer) => key.name === name || newer >= maxActiveKeys - 1);
  for (const { id } of missing) await revokeKey(db, id, { ownerId: userId }, now);
}

const isActive = (key: ApiKey, now: Date): boolean => key.revokedAt === null && !isExpired(key, now);

async function readStoredKey(path: string): Promise<string | null> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new OperatorError(`The demo key in ${path} cannot be read: ${(error as Error).message}.`);
  }
}

/** Writes the file atomically, and never readable for other users. */
async function keep(path: string, key: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(draft, `${key}\n`, { mode: 0o600, flag: "wx" });
    await rename(draft, path);
  } catch (error) {
    throw new OperatorError(`The demo key cannot be kept in ${path}: ${(error as Error).message}.`);
  }
}

export const demoEmail = "demo@beatmarket.example";
/** The source of the demo's beats, which also identifies a database with the demo catalogue. */
export const demoSource = "beatmarket demo";

export interface DemoOptions {
  dataDir: string;
  clock: Clock;
  /** Without it, the demo account has neither sales nor orders. */
  trade?: TradeTerms;
  log(text: string): void;
}

/**
 * Fills an empty database with the demo catalogue, and ensures that a database with the demo catalogue has a demo
 * account with a working key. Null for a database with other content, which stays unchanged. Safe for several instances
 * that start at once on one database.
 */
export async function ensureDemo({ query }: Database, options: DemoOptions): Promise<{ key: string } | null> {
  return query.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtext('beatmarket:demo'))`.execute(connection);
    try {
      if (!(await holdsDemo(connection))) {
        if (!(await isEmpty(connection))) return null;
        await seed(connection, options);
      }
      const account = await demoAccount(query);
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

const demoAccount = (db: Queryable) => findOrCreateAccount(db, { email: demoEmail, name: "Demo" });

async function seed(connection: Queryable, { clock, log, trade }: DemoOptions): Promise<void> {
  const now = new Date(clock.nowMs());
  const catalogue = demoCatalogue(now.getTime());
  await transact(connection, async (db) => {
    const ids = await insertCatalogue(db, catalogue, now);
    if (trade !== undefined) await seedTrade(db, ids, { now, terms: trade });
  });
  log(`The database was empty; it now holds a demo catalogue of ${catalogue.beats.length} invented beats.`);
}

/** Ids by name. */
export interface CatalogueIds {
  genres: ReadonlyMap<string, number>;
  producers: ReadonlyMap<string, number>;
}

export async function insertCatalogue(
  db: Queryable,
  { genres, producers, beats }: DemoCatalogue,
  now: Date,
): Promise<CatalogueIds> {
  const ids = { genres: await upsertGenres(db, genres), producers: await insertProducers(db, producers) };
  const rows = beats.map((beat, index) => ({
    ...rowOf(beat, ids, index + 1),
    user_id: idOf(ids.producers, beat.producer.username),
    producer_name: beat.producer.displayName,
  }));
  await new BeatUpsert(optionalFields, now).insert(db, rows);
  return ids;
}

/** Creates beats of the demo account, sales of them, and orders of the account. */
async function seedTrade(
  db: Queryable,
  ids: CatalogueIds,
  { now, terms }: { now: Date; terms: TradeTerms },
): Promise<void> {
  const account = await demoAccount(db);
  await markProducer(db, account.id, now);
  const before = await demoBeatIds(db);
  const beats = ownBeats(now.getTime()).map((beat, index) => ({
    ...rowOf(beat, ids, before.length + index + 1),
    user_id: account.id,
    producer_name: account.display_name,
  }));
  await new BeatUpsert(optionalFields, now).insert(db, beats);
  const beatIds = await demoBeatIds(db);
  const traders = {
    accountId: account.id,
    beatIds: before,
    ownBeatIds: beatIds.slice(before.length),
    producerIds: [...ids.producers.values()],
  };
  await placeDemoOrders(db, traders, { nowMs: now.getTime(), terms });
}

async function demoBeatIds(db: Queryable): Promise<number[]> {
  const rows = await db.selectFrom("beats").select("id").where("source", "=", demoSource).orderBy("id").execute();
  return rows.map(({ id }) => id);
}

const rowOf = <Beat extends Omit<DemoBeat, "producer">>(beat: Beat, { genres }: CatalogueIds, number: number) => ({
  ...beat,
  ...columnsOfKey(beat.key),
  source: demoSource,
  external_id: String(number),
  genre_id: idOf(genres, beat.genre),
});

function columnsOfKey(text: string): { key: string; key_code: number } {
  const { key, keyCode } = parseKey(text);
  return { key, key_code: keyCode };
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The demo catalogue refers to ${name}, which it does not have.`);
  return id;
}
