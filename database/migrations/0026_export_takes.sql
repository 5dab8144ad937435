-- The last export that each key took: one a key and hour, and what a resumed download goes on with.
create table export_takes (
  api_key_id bigint primary key references api_keys on delete cascade,
  taken_at timestamptz not null,
  -- The export's ETag, without its quotes. Null until it has begun.
  tag text
);
