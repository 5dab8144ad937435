-- Calls from the explorer have limits of their own, so what a key used of its limits is counted without them.
alter table request_rollups
  add column from_explorer boolean not null default false,
  drop constraint request_rollups_pkey,
  add primary key (user_id, seconds, start, api_key_id, from_explorer, operation, status, refused_by, duration_span);
