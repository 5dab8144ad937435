import { sql } from "kysely";
import type { Queryable } from "../../../database/connection/connect.ts";
import { wordKeys } from "./typing-errors.ts";

/**
 * Remembers words (from `correctableWords`) so that search can correct typing errors towards them. Words already known
 * are left alone. Rows are written in the order of the words, so that two writers
 * never wait for each other in a circle.
 */
export async function insertSearchWords(db: Queryable, words: Iterable<string>): Promise<void> {
  const sorted = Array.from(new Set(words)).sort();
  if (sorted.length === 0) return;
  const { rows: unknown } = await sql<{ word: string }>`
    select word from unnest(${sorted}::text[]) with ordinality as given (word, place)
    where not exists (select from search_words s where s.word = given.word)
    order by place`.execute(db);
  if (unknown.length === 0) return;
  await sql`
    insert into search_words (word, keys)
    select word, keys::integer[]
    from unnest(
      ${unknown.map(({ word }) => word)}::text[],
      ${unknown.map(({ word }) => `{${wordKeys(word).join(",")}}`)}::text[]
    ) with ordinality as given (word, keys, place)
    order by place
    on conflict do nothing`.execute(db);
}
