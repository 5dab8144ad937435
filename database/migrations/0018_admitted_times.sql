-- When the rate limits admitted the calls of a block, for refilling the limits (server/src/resources/request-log/queries.ts).
-- Empty: none was admitted. Null: written by an older release, so the content says.
alter table request_log_blocks add column admitted_times bytea;
-- Blocks without admitted calls are not in it: a flood of refused calls makes no refill slower.
create index request_log_blocks_admitted on request_log_blocks (api_key_id, from_explorer, last_at, id)
  where admitted_times is distinct from '';
