-- What imports did, for operators: the newest runs, each with its first rejected rows.
create table import_runs (
  id bigint generated always as identity primary key,
  state text not null check (state in ('running', 'finished', 'failed', 'interrupted')),
  -- Names, without their folders.
  file text not null,
  mapping text not null,
  started_at timestamptz not null,
  -- A running import writes every few seconds; one that has stopped doing so was killed.
  progressed_at timestamptz not null,
  ended_at timestamptz,
  read_rows bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  rejected bigint not null default 0,
  -- Of the file as stored; its size is null for standard input.
  read_bytes bigint not null default 0,
  size_bytes bigint,
  -- [{reason, times, first_lines}], the most frequent first.
  reasons jsonb not null default '[]',
  -- The first lines of the rejects file. As text: PostgreSQL has no jsonb for bytes that are not UTF-8.
  rejects text not null default '',
  -- Why it failed or was interrupted.
  error text
);
