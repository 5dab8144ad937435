import type { Sql } from "postgres";
import { wordKeys } from "./typing-errors.ts";

/**
 * Stores words (from `correctableWords`) that search corrects typing errors to. Known words are left unchanged. `sql` is
 * the pool or a transaction; rows are written in the order of the words, so that two writers never deadlock.
 */
export async function insertSearchWords(sql: Sql, words: Iterable<string>): Promise<void> {
  const sorted = Array.from(new Set(words)).sort();
  if (sorted.length === 0) return;
  const unknown = await sql<{ word: string }[]>`
    select word from unnest(${sorted}::text[]) with ordinality as given (word, place)
    where not exists (select from search_words s where s.word = given.word)
    order by place`;
  if (unknown.length === 0) return;
  await sql`
    insert into search_words (word, keys)
    select word, keys::integer[]
    from unnest(
      ${unknown.map(({ word }) => word)}::text[],
      ${unknown.map(({ word }) => `{${wordKeys(word).join(",")}}`)}::text[]
    ) with ordinality as given (word, keys, place)
    order by place
    on conflict do nothing`;
}
