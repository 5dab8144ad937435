-- How many bytes of the request log are of each day, so that its size is known without reading it
-- (server/src/resources/request-log/storage/retention.ts).
create table request_log_days (
  -- When the day of the block's last call began, in UTC.
  day timestamptz not null,
  -- Without an account.
  anonymous boolean not null,
  bytes bigint not null,
  primary key (day, anonymous)
);
insert into request_log_days (day, anonymous, bytes)
  select date_trunc('day', last_at, 'UTC'), user_id is null, sum(octet_length(content) + 200)
  from request_log_blocks group by 1, 2;
