-- The catalogue: genres, users (producers among them), beats. Names follow the contract, section 2.

create table genres (
  id bigint generated always as identity primary key,
  name text not null,
  slug text not null unique,
  -- Listed beats of this genre; kept by the trigger on beats.
  beats_count bigint not null default 0 check (beats_count >= 0)
);
create unique index genres_name on genres (lower(name));

create table users (
  id bigint generated always as identity primary key,
  username text not null unique,
  -- Null for a producer who came with an import and has no account.
  email text unique,
  display_name text not null,
  bio text,
  location text,
  website text,
  avatar_url text,
  is_producer boolean not null default false,
  -- By which imports know a producer (users/upsert.ts). Null for accounts: an import never takes one over.
  import_name text,
  created_at timestamptz not null default date_trunc('second', now()),
  updated_at timestamptz not null default date_trunc('second', now()),
  -- Folded words of the display name (A); made by search-words.ts.
  search tsvector not null default ''
);
create unique index users_import_name on users (import_name) where import_name is not null;
create index users_producers_newest on users (created_at, id) where is_producer;
create index users_producers_name on users (lower(display_name), id) where is_producer;
-- The indexes of words hold all rows: were they partial, the planner could read another partial index in their place.
-- Every search reads the list of rows that are not yet merged into them, so it is kept short.
create index users_search on users using gin (search);

-- Counts over each producer's listed beats. Apart from users so that counting does not rewrite their index entries.
create table producer_counts (
  user_id bigint primary key references users,
  beats_count bigint not null default 0 check (beats_count >= 0),
  play_count bigint not null default 0 check (play_count >= 0),
  -- Sum of the beats' popularity order keys: plays first, then the popularity an import brought along.
  popularity_key bigint not null default 0 check (popularity_key >= 0)
);
create index producer_counts_popular on producer_counts (popularity_key, user_id);

create table beats (
  id bigint generated always as identity primary key,
  -- No foreign keys: to look up every row's user and genre by itself is a fifth of an import's work. The triggers
  -- below check all rows of a statement at once, and refuse to delete what beats refer to.
  user_id bigint not null,
  genre_id bigint not null,
  title text not null check (title <> ''),
  description text not null default '',
  tags text[] not null default '{}',
  -- Beats per minute, unrounded; `bpm` on the wire is this, rounded.
  tempo double precision not null check (tempo > 0 and tempo < 10000),
  -- As shown; "" when unknown.
  key text not null default '',
  -- Position on the circle of fifths (see beats/musical-key.ts): 0-11 major, 12-23 minor, 24 unknown.
  key_code smallint not null default 24 check (key_code between 0 and 24),
  duration_seconds integer not null default 0 check (duration_seconds >= 0),
  price_cents integer not null check (price_cents >= 0),
  premium_price_cents integer not null check (premium_price_cents >= 0),
  unlimited_price_cents integer not null check (unlimited_price_cents >= 0),
  exclusive_price_cents integer not null check (exclusive_price_cents >= 0),
  -- False once the exclusive licence is sold: the beat leaves lists, search and similar, and still opens by id.
  is_listed boolean not null default true,
  -- Null: the drawn cover and the rendered loop under /media stand in.
  audio_url text,
  cover_image text,
  play_count bigint not null default 0 check (play_count >= 0),
  download_count bigint not null default 0 check (download_count >= 0),
  -- 0-100, as an imported catalogue rates it; breaks ties of play_count.
  popularity smallint not null default 0 check (popularity between 0 and 100),
  popularity_key bigint not null generated always as (play_count * 128 + popularity) stored,
  -- Where the beat came from: the import's source name and its id there (or "row N" where it has none).
  source text,
  external_id text,
  created_at timestamptz not null default date_trunc('second', now()),
  updated_at timestamptz not null default date_trunc('second', now()),
  -- Folded words of title (A) and producer (B); made by search-words.ts.
  search tsvector not null default '',
  unique (source, external_id)
);
create index beats_newest on beats (created_at, id) where is_listed;
create index beats_popular on beats (popularity_key, id) where is_listed;
create index beats_price on beats (price_cents, id) where is_listed;
create index beats_genre_newest on beats (genre_id, created_at, id) where is_listed;
create index beats_genre_popular on beats (genre_id, popularity_key, id) where is_listed;
create index beats_genre_price on beats (genre_id, price_cents, id) where is_listed;
-- Similar beats read a producer's newest out of this index alone.
create index beats_user_newest on beats (user_id, created_at, id)
  include (genre_id, key_code, tempo, popularity_key, duration_seconds) where is_listed;
-- For similar beats, which walk outward from a tempo (beats/similar-queries.ts). They hold all that the score needs:
-- walking costs the same whether the table fits in memory or not.
create index beats_genre_key_tempo on beats
  (genre_id, key_code, tempo, popularity_key, duration_seconds, id) include (user_id) where is_listed;
create index beats_key_tempo on beats
  (key_code, tempo, popularity_key, duration_seconds, id) include (genre_id, user_id) where is_listed;
create index beats_search on beats using gin (search);

-- Every word that search can find and a person can mistype, for correcting typing errors. Any two words within two
-- edits share a key (see resources/search/typing-errors.ts).
create table search_words (
  word text primary key,
  keys integer[] not null
);
create index search_words_keys on search_words using gin (keys);

-- What is new in the three indexes of words waits in lists, which every search reads through: they are kept short, in
-- kilobytes. An import lets them grow and merges them at its end, which saves a seventh of its work.
do $$
begin
  execute format('alter role current_user in database %I set gin_pending_list_limit = 512', current_database());
end $$;

-- Tells every instance that its cached answers are stale. PostgreSQL sends one notice a transaction, at commit.
create function notify_catalogue() returns trigger language plpgsql as $$
begin
  notify catalogue;
  return null;
end $$;

-- Locks genres in the order of their ids; they must all exist.
create function lock_genres(genre_ids bigint[]) returns void language plpgsql as $$
declare
  found_count integer;
begin
  perform from genres where id = any (genre_ids) order by id for no key update;
  get diagnostics found_count = row_count;
  if found_count < cardinality(genre_ids) then
    raise foreign_key_violation using message = 'a beat refers to a genre that does not exist';
  end if;
end $$;

-- Keep genres.beats_count and producer_counts true, whoever writes: each statement adds what its rows became and
-- takes away what they were. Rows are locked in key order, so that two writers never wait for each other in a
-- circle. A transition table exists only for the operation that has it, hence two functions. Every user with a beat
-- has a row in producer_counts, whose foreign key keeps that user there.
create function count_inserted_beats() returns trigger language plpgsql as $$
declare
  genre_ids bigint[] := array(select distinct genre_id from became);
begin
  perform lock_genres(genre_ids);
  update genres g set beats_count = g.beats_count + d.beats
    from (select genre_id, count(*) as beats from became where is_listed group by genre_id) d
    where g.id = d.genre_id;
  insert into producer_counts as c (user_id, beats_count, play_count, popularity_key)
    select user_id, count(*) filter (where is_listed), coalesce(sum(play_count) filter (where is_listed), 0),
           coalesce(sum(popularity_key) filter (where is_listed), 0)
    from became group by user_id order by user_id
  on conflict (user_id) do update set
    beats_count = c.beats_count + excluded.beats_count,
    play_count = c.play_count + excluded.play_count,
    popularity_key = c.popularity_key + excluded.popularity_key;
  notify catalogue;
  return null;
end $$;

create function count_updated_beats() returns trigger language plpgsql as $$
begin
  perform lock_genres(array(select genre_id from became union select genre_id from was));
  update genres g set beats_count = g.beats_count + d.beats
    from (
      select genre_id, sum(sign) as beats
      from (select genre_id, 1 as sign from became where is_listed
            union all select genre_id, -1 from was where is_listed) s
      group by genre_id having sum(sign) <> 0
    ) d
    where g.id = d.genre_id;
  insert into producer_counts (user_id)
    select distinct user_id from became order by user_id
  on conflict do nothing;
  perform from producer_counts where user_id in (select user_id from became union select user_id from was)
    order by user_id for no key update;
  update producer_counts c set
      beats_count = c.beats_count + d.beats,
      play_count = c.play_count + d.plays,
      popularity_key = c.popularity_key + d.keys
    from (
      select user_id, sum(sign) as beats, sum(sign * play_count) as plays, sum(sign * popularity_key) as keys
      from (select user_id, play_count, popularity_key, 1 as sign from became where is_listed
            union all select user_id, play_count, popularity_key, -1 from was where is_listed) s
      group by user_id
      having sum(sign) <> 0 or sum(sign * play_count) <> 0 or sum(sign * popularity_key) <> 0
    ) d
    where c.user_id = d.user_id;
  notify catalogue;
  return null;
end $$;

create trigger beats_inserted after insert on beats
  referencing new table as became for each statement execute function count_inserted_beats();
create trigger beats_updated after update on beats
  referencing old table as was new table as became for each statement execute function count_updated_beats();
-- Every producer has counts, so that the most popular ones and all others are one list.
create function count_producers() returns trigger language plpgsql as $$
begin
  insert into producer_counts (user_id)
    select id from became where is_producer order by id
  on conflict do nothing;
  notify catalogue;
  return null;
end $$;

create trigger users_inserted after insert on users
  referencing new table as became for each statement execute function count_producers();
create trigger users_updated after update on users
  referencing new table as became for each statement execute function count_producers();
create function keep_genre_of_beats() returns trigger language plpgsql as $$
begin
  if exists (select from beats where genre_id = old.id) then
    raise foreign_key_violation using message = format('genre %s still has beats', old.id);
  end if;
  return old;
end $$;

create trigger genres_deleted before delete on genres
  for each row execute function keep_genre_of_beats();
create trigger genres_inserted after insert on genres
  for each statement execute function notify_catalogue();
