-- What producers upload, the files made of it, and their beats before and after publishing.

-- Files by the SHA-256 of their content (server/src/storage). The row comes before the object.
create table stored_objects (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint not null check (bytes >= 0),
  state text not null default 'storing' check (state in ('storing', 'stored')),
  touched_at timestamptz not null
);
create index stored_objects_touched on stored_objects (touched_at);

-- Objects whose row nothing referred to any more. Out of reach of foreign keys, so that nothing can refer to what is being
-- deleted; the row here goes after the object.
create table object_deletions (
  sha256 text primary key,
  leased_until timestamptz not null
);

-- Which storage holds the objects: the same id stands in it, so that a server with another storage is refused.
create table storage_identity (
  only_row boolean primary key default true check (only_row),
  id uuid not null,
  -- For people: the folder with its host, or the bucket.
  place text not null,
  is_written boolean not null default false
);

create table uploads (
  id text primary key,
  user_id bigint not null references users (id),
  kind text not null check (kind in ('audio', 'stems', 'cover')),
  filename text not null,
  bytes bigint not null check (bytes > 0),
  received bigint not null default 0 check (received >= 0 and received <= bytes),
  status text not null default 'receiving' check (status in ('receiving', 'analysing', 'ready', 'rejected')),
  rejection text,
  -- It was rejected for a reason of our own, so the same bytes may be tried again.
  is_retriable boolean not null default false,
  analysis jsonb,
  -- A beat uses it; until then it expires.
  used_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check ((status = 'rejected') = (rejection is not null))
);
create index uploads_user on uploads (user_id, created_at);
create index uploads_unused on uploads (expires_at) where used_at is null;

-- What has arrived of an upload, until it is analysed. A row is added in the transaction that moves the upload's offset.
create table upload_parts (
  upload_id text not null references uploads (id) on delete cascade,
  first_byte bigint not null check (first_byte >= 0),
  sha256 text not null references stored_objects (sha256),
  bytes bigint not null check (bytes > 0),
  primary key (upload_id, first_byte)
);
create index upload_parts_object on upload_parts (sha256);

create table upload_files (
  upload_id text not null references uploads (id) on delete cascade,
  name text not null,
  sha256 text not null references stored_objects (sha256),
  bytes bigint not null check (bytes >= 0),
  content_type text not null,
  primary key (upload_id, name)
);
create index upload_files_object on upload_files (sha256);

-- What a beat that its producer made here has beyond one that was imported.
create table beat_productions (
  beat_id bigint primary key references beats (id) on delete cascade,
  stage text not null default 'draft' check (stage in ('draft', 'processing', 'released')),
  -- Counts edits, for If-Match.
  version integer not null default 1,
  audio_upload_id text references uploads (id),
  cover_upload_id text references uploads (id),
  stems_upload_id text references uploads (id),
  -- 'default', 'none', or the id of the upload that is mixed into the preview.
  preview_tag text not null default 'default',
  bpm_source text check (bpm_source in ('producer', 'analysis')),
  key_source text check (key_source in ('producer', 'analysis')),
  analysis jsonb,
  -- Why the last publishing failed.
  rejection text,
  -- Null for what was never on sale, which nobody but its producer may know of.
  published_at timestamptz,
  -- The execution under an Idempotency-Key that created the beat.
  idempotency_run uuid unique
);
create index beat_productions_audio on beat_productions (audio_upload_id);
create index beat_productions_cover on beat_productions (cover_upload_id);
create index beat_productions_stems on beat_productions (stems_upload_id);

create table beat_files (
  beat_id bigint not null references beats (id) on delete cascade,
  name text not null,
  sha256 text not null references stored_objects (sha256),
  bytes bigint not null check (bytes >= 0),
  content_type text not null,
  primary key (beat_id, name)
);
create index beat_files_object on beat_files (sha256);

-- The queue of what takes a processor for seconds: analysis, previews, covers (server/src/resources/jobs).
create table media_jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  -- What it is done to: the id of an upload or a beat.
  subject text not null,
  -- For whom it is done. Accounts take turns.
  user_id bigint,
  -- Lower ones first; within a priority, lower turns first.
  priority smallint not null default 0,
  turn bigint not null default 0,
  -- Counts how often it was asked for, so that what is asked for during a run is done after it.
  revision integer not null default 1,
  -- Begun ones, the current one included.
  attempts integer not null default 0,
  run_at timestamptz not null,
  lease text,
  leased_until timestamptz,
  last_error text,
  unique (kind, subject)
);
create index media_jobs_turn on media_jobs (priority, turn, id);

-- The tempo of a draft is not known before it is analysed.
alter table beats drop constraint beats_tempo_check;
alter table beats add constraint beats_tempo_check
  check (tempo >= 0 and tempo < 10000 and (tempo > 0 or not is_listed)) not valid;
alter table beats validate constraint beats_tempo_check;

-- The producer of unlisted beats, who has no row in producer_counts to refer to: is there, and stays until the commit.
create function require_producers(user_ids bigint[]) returns void language plpgsql as $$
begin
  perform from users where id = any(user_ids) order by id for key share;
  if exists (select from unnest(user_ids) as given (id) where not exists (select from users where users.id = given.id)) then
    raise foreign_key_violation using message = 'a beat is by a user who does not exist';
  end if;
end $$;

-- A draft makes nobody a producer: only who has, or had, a beat on sale is counted, and so listed among the producers.
create or replace function count_inserted_beats() returns trigger language plpgsql as $$
begin
  perform require_producers(array(select distinct user_id from became where not is_listed));
  perform lock_genres(array(select distinct genre_id from became));
  perform add_to_genres(array_agg(genre_id), array_agg(beats))
    from (select genre_id, count(*) as beats from became where is_listed group by genre_id) d
    having count(*) > 0;
  insert into producer_counts as c (user_id, beats_count, play_count, popularity_key)
    select user_id, count(*), sum(play_count), sum(popularity_key)
    from became where is_listed group by user_id order by user_id
  on conflict (user_id) do update set
    beats_count = c.beats_count + excluded.beats_count,
    play_count = c.play_count + excluded.play_count,
    popularity_key = c.popularity_key + excluded.popularity_key;
  return null;
end $$;

create or replace function count_updated_beats() returns trigger language plpgsql as $$
begin
  perform require_producers(array(
    select distinct became.user_id from became join was using (id)
    where not became.is_listed and became.user_id <> was.user_id));
  perform lock_genres(array(
    select distinct became.genre_id from became join was using (id) where became.genre_id <> was.genre_id));
  perform add_to_genres(array_agg(genre_id), array_agg(beats))
    from (
      select genre_id, sum(sign)::bigint as beats
      from (select genre_id, 1 as sign from became where is_listed
            union all select genre_id, -1 from was where is_listed) s
      group by genre_id having sum(sign) <> 0
    ) d
    having count(*) > 0;
  insert into producer_counts (user_id)
    select distinct user_id from became where is_listed order by user_id
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
  return null;
end $$;
