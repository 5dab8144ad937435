-- What the developer portal shows of an account's calls: the log, what each call caused, and figures over time.

alter table request_log
  -- Null where the path is none of ours.
  add column operation text,
  -- With error_code and error_details the whole body of a refusal (contract 7).
  add column error_message text,
  -- As sent, where the call had one; never a card number.
  add column body text;
-- An account's calls, newest first, and those of them that were refused or failed.
create index request_log_account on request_log (user_id, time, id);
create index request_log_refused on request_log (user_id, time, id) where status >= 400;

-- The call that an event comes from; null where something else made it happen.
alter table events add column request_id text;
create index events_request on events (request_id) where request_id is not null;
-- An order may be settled long after the call that placed it, by a payment provider's word.
alter table orders add column request_id text;

-- The log, counted: written with it in one transaction (resources/request-log/rollups.ts).
create table request_rollups (
  user_id bigint not null,
  -- What is counted: a minute, kept two hours; an hour, kept eight days; or a day (UTC), kept 31 days.
  seconds integer not null check (seconds in (60, 3600, 86400)),
  start timestamptz not null,
  api_key_id bigint not null,
  -- Empty where the path is none of ours.
  operation text not null,
  status smallint not null,
  -- refused_by, without the name of a parameter, which callers could make up without end. Empty where there is none.
  refused_by text not null,
  -- The number of a span of durations, each 19 % longer than the one before.
  duration_span smallint not null,
  calls integer not null,
  primary key (user_id, seconds, start, api_key_id, operation, status, refused_by, duration_span)
) with (fillfactor = 70);
create index request_rollups_start on request_rollups (seconds, start);
