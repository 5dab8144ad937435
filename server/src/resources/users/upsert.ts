import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { usernameSlug } from "./queries.ts";

/** A producer of an imported catalogue, without an account. */
export interface ImportedProducer {
  /** Identifies the producer in imports. Accounts have none, so an import never takes one over. */
  importName: string;
  /** In the spelling of the first row that named the producer. */
  displayName: string;
}

const usernameAttempts = 4;

/**
 * Finds or creates producers. Returns their user ids by import name; for a claimed producer, the id of its account.
 * Safe with concurrent calls: rows are written in a fixed order, and names or usernames taken in the meantime are
 * looked up again.
 */
export async function upsertProducers(
  db: Queryable,
  producers: readonly ImportedProducer[],
  now: Date,
): Promise<Map<string, number>> {
  if (producers.length === 0) return new Map();
  const sorted = producers.toSorted((a, b) => (a.importName < b.importName ? -1 : 1));
  const ids = await findProducers(db, sorted);
  for (let attempt = 0; attempt < usernameAttempts; attempt++) {
    const missing = sorted.filter(({ importName }) => !ids.has(importName));
    if (missing.length === 0) return ids;
    await insertProducers(db, missing, attempt, now);
    for (const [importName, id] of await findProducers(db, missing)) ids.set(importName, id);
  }
  const missing = sorted.find(({ importName }) => !ids.has(importName));
  if (missing !== undefined) throw new Error(`No free username was found for ${missing.displayName}.`);
  return ids;
}

async function findProducers(db: Queryable, producers: readonly ImportedProducer[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ import_name: string; id: number }>`
    select import_name, coalesce(joined_user_id, id) as id from users where import_name = any(${producers.map(({ importName }) => importName)})`.execute(
    db,
  );
  return new Map(rows.map(({ import_name, id }) => [import_name, id]));
}

const insertProducers = (db: Queryable, producers: readonly ImportedProducer[], attempt: number, now: Date) =>
  sql`
  insert into users (import_name, username, display_name, is_producer, created_at, updated_at)
  select import_name, username, display_name, true, ${now}, ${now}
  from unnest(
    ${producers.map(({ importName }) => importName)}::text[],
    ${producers.map((producer) => username(producer, attempt))}::text[],
    ${producers.map(({ displayName }) => displayName)}::text[]
  ) with ordinality as given (import_name, username, display_name, place)
  order by place
  on conflict do nothing`.execute(db);

/** A slug of the name. From the second attempt on it ends with more and more digits of the name's hash. */
function username({ importName, displayName }: ImportedProducer, attempt: number): string {
  const slug = usernameSlug(displayName, "producer");
  if (attempt === 0 && slug !== "producer") return slug;
  const hash = createHash("sha256").update(importName).digest("hex");
  return `${slug}-${hash.slice(0, 6 + 4 * attempt)}`;
}
