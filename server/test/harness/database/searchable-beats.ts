import type { TestDatabase } from "./driver.ts";

export interface SearchableBeat {
  title: string;
  /** Producers come one for each name. */
  by?: string;
  plays?: number;
  isListed?: boolean;
}

/** Puts many beats, with their producers, straight into the tables. */
export async function addSearchableBeats(
  { driver }: Pick<TestDatabase, "driver">,
  beats: readonly SearchableBeat[],
): Promise<void> {
  const rows = beats.map(({ title, by = "Nightowl", plays = 0, isListed = true }) => ({ title, by, plays, isListed }));
  const names = Array.from(new Set(rows.map(({ by }) => by)));
  await driver`insert into genres (name, slug) values ('Trap', 'trap') on conflict do nothing`;
  await driver`
    insert into users (username, display_name, is_producer)
    select name, name, true from unnest(${names}::text[]) as n (name)
    on conflict do nothing`;
  await driver`
    insert into beats (user_id, genre_id, title, play_count, is_listed, tempo, price_cents,
                       premium_price_cents, unlimited_price_cents, exclusive_price_cents)
    select users.id, genres.id, title, plays, is_listed::boolean, 120, 100, 100, 100, 100
    from unnest(
      ${rows.map(({ title }) => title)}::text[], ${rows.map(({ by }) => by)}::text[],
      ${rows.map(({ plays }) => plays)}::bigint[], ${rows.map(({ isListed }) => String(isListed))}::text[]
    ) with ordinality as b (title, by, plays, is_listed, place)
    join users on username = b.by cross join genres
    order by place`;
}
