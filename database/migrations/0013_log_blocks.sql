-- The log in blocks of calls: thousands of calls a second cost little to write and some 25 bytes each to keep
-- (docs/decisions/2026-11-21-log-in-blocks.md). Before the first release, so what was logged is not carried over.
drop table request_log;

create table request_log_blocks (
  id bigint generated always as identity primary key,
  -- No foreign keys: the log outlives what it speaks of and must never slow a write. Null where no key was known.
  api_key_id bigint,
  user_id bigint,
  from_explorer boolean not null,
  -- When the first and the last of its calls came in, a minute apart at most.
  first_at timestamptz not null,
  last_at timestamptz not null,
  calls integer not null,
  -- Those with status 400 and above.
  refused integer not null,
  -- The calls: server/src/resources/request-log/block.ts. Compressed there where it is worth it.
  content bytea not null
);
alter table request_log_blocks alter column content set storage external;
create index request_log_blocks_last on request_log_blocks using brin (last_at);
create index request_log_blocks_account on request_log_blocks (user_id, last_at, id);
create index request_log_blocks_refused on request_log_blocks (user_id, last_at, id) where refused > 0;
create index request_log_blocks_key on request_log_blocks (api_key_id, last_at, id);
