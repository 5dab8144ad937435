import { insertSearchWords } from "../../../src/resources/search/words/write-words.ts";
import { correctableWords, searchVector } from "../../../src/text/search-words.ts";
import type { TestDatabase } from "./driver.ts";

export interface SearchableBeat {
  title: string;
  /** Producers come one for each name. */
  by?: string;
  plays?: number;
  isListed?: boolean;
}

/** Puts many beats, with their producers and all that search needs, straight into the tables. */
export async function addSearchableBeats(
  { driver }: Pick<TestDatabase, "driver">,
  beats: readonly SearchableBeat[],
): Promise<void> {
  const rows = beats.map(({ title, by = "Nightowl", plays = 0, isListed = true }) => ({ title, by, plays, isListed }));
  const names = Array.from(new Set(rows.map(({ by }) => by)));
  await driver`insert into genres (name, slug) values ('Trap', 'trap') on conflict do nothing`;
  await driver`
    insert into users (username, display_name, is_producer, search)
    select name, name, true, search::tsvector
    from unnest(
      ${names}::text[], ${names.map((text) => searchVector([{ text, weight: "A" }]))}::text[]
    ) as n (name, search)
    on conflict do nothing`;
  await driver`
    insert into beats (user_id, genre_id, title, play_count, is_listed, search, tempo, price_cents,
                       premium_price_cents, unlimited_price_cents, exclusive_price_cents)
    select users.id, genres.id, title, plays, is_listed::boolean, vector::tsvector, 120, 100, 100, 100, 100
    from unnest(
      ${rows.map(({ title }) => title)}::text[], ${rows.map(({ by }) => by)}::text[],
      ${rows.map(({ plays }) => plays)}::bigint[], ${rows.map(({ isListed }) => String(isListed))}::text[],
      ${rows.map(({ title, by }) =>
        searchVector([
          { text: title, weight: "A" },
          { text: by, weight: "B" },
        ]),
      )}::text[]
    ) with ordinality as b (title, by, plays, is_listed, vector, place)
    join users on username = b.by cross join genres
    order by place`;
  await insertSearchWords(driver.db, rows.flatMap(({ title, by }) => [title, by]).flatMap(correctableWords));
}
