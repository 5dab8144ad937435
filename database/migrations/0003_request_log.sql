-- One row for each API call; kept 30 days.
create table request_log (
  id bigint generated always as identity primary key,
  time timestamptz not null,
  request_id text not null,
  -- No foreign keys: the log outlives what it speaks of and must never slow a write.
  api_key_id bigint,
  user_id bigint,
  method text not null,
  -- As called: /api/v1/... shows.
  path text not null,
  query text not null default '',
  status smallint not null,
  duration_ms real not null,
  error_code text,
  error_details text,
  -- Why it was refused: "limit:minute", "permission:orders:write", "parameter:genre", "key".
  refused_by text,
  -- A short list of request headers; never Authorization.
  headers jsonb not null default '{}',
  client_address text not null,
  user_agent text not null default ''
);
create index request_log_time on request_log using brin (time);
create index request_log_key on request_log (api_key_id, time);
