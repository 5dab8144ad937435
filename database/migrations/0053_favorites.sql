-- What listeners keep: beats, lists of beats, and producers.

create table favorites (
  user_id bigint not null references users (id),
  beat_id bigint not null references beats (id) on delete cascade,
  created_at timestamptz not null,
  primary key (user_id, beat_id)
);
create index favorites_newest on favorites (user_id, created_at, beat_id);
create index favorites_beat on favorites (beat_id);

create table playlists (
  -- Part of the address of its page, which opens a public one to everybody.
  id text primary key,
  user_id bigint not null references users (id),
  title text not null,
  description text not null,
  visibility text not null check (visibility in ('private', 'public')),
  idempotency_run uuid unique,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index playlists_newest on playlists (user_id, created_at, id);

create table playlist_beats (
  playlist_id text not null references playlists (id) on delete cascade,
  beat_id bigint not null references beats (id) on delete cascade,
  position integer not null,
  primary key (playlist_id, beat_id)
);
create index playlist_beats_beat on playlist_beats (beat_id);

create table follows (
  user_id bigint not null references users (id),
  producer_id bigint not null references users (id),
  created_at timestamptz not null,
  primary key (user_id, producer_id)
);
create index follows_newest on follows (user_id, created_at, producer_id);
create index follows_producer on follows (producer_id);
