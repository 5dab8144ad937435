-- Webhooks: endpoints, the deliveries to them (which are the queue), and every attempt (docs/webhooks.md).

-- Marked by the operator: endpoints of such an account also hear of purchases by others (DESIGN section 2).
alter table users add column marketplace boolean not null default false;

create table webhook_endpoints (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  url text not null,
  -- Null: every type, those to come included.
  event_types text[] check (event_types <> '{}'),
  description text not null default '',
  -- "http" is served by the workers; "listen" by one `beatmarket webhooks listen`, and goes when that has gone.
  kind text not null default 'http' check (kind in ('http', 'listen')),
  listener_seen_at timestamptz check ((kind = 'listen') = (listener_seen_at is not null)),
  -- Sealed (webhooks/secret-box.ts). The previous one signs too until it ends.
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz check ((previous_secret is null) = (previous_secret_until is null)),
  -- One delivery at a time, in the order of the events; a failed one holds up those behind it until it is given up.
  ordered boolean not null default false,
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  disabled_at timestamptz,
  -- A sentence.
  disabled_reason text check ((state = 'disabled') = (disabled_reason is not null)),
  -- From the first failed attempt until a success.
  failing_since timestamptz,
  consecutive_failures integer not null default 0,
  last_error text,
  last_success_at timestamptz,
  -- Requests that may be in flight: grows with each success, falls to one when the receiver lets us wait in vain.
  concurrency smallint not null default 2 check (concurrency > 0),
  -- A receiver that has failed many times in a row gets a pause between attempts.
  resume_at timestamptz,
  -- The mail that is still to be sent to the account, and when the last one about failures was.
  mail_due text check (mail_due in ('failing', 'disabled')),
  failing_mail_at timestamptz,
  created_at timestamptz not null
);
create index webhook_endpoints_user on webhook_endpoints (user_id, id);
create index webhook_endpoints_noticed on webhook_endpoints (user_id) where state = 'disabled' or failing_since is not null;

-- Tells every instance whose API answers are to carry X-Webhook-Notice.
create function notify_webhook_endpoints() returns trigger language plpgsql as $$
begin
  notify webhook_endpoints;
  return null;
end $$;
create trigger webhook_endpoints_changed after update on webhook_endpoints for each row
  when (old.state <> new.state or (old.failing_since is null) <> (new.failing_since is null))
  execute function notify_webhook_endpoints();
create trigger webhook_endpoints_deleted after delete on webhook_endpoints
  for each row execute function notify_webhook_endpoints();

-- One row for each event and endpoint. No foreign keys: what happens on the marketplace never waits for a subscriber.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  endpoint_id bigint not null,
  event_id text not null,
  state text not null check (state in ('pending', 'sending', 'succeeded', 'failed', 'skipped')),
  -- Attempts since it was last put into the queue.
  attempts smallint not null default 0,
  next_attempt_at timestamptz check ((state = 'pending') = (next_attempt_at is not null)),
  -- Whoever sends it; what it reports counts only while it holds the lease.
  lease uuid,
  leased_until timestamptz check ((state = 'sending') = (leased_until is not null and lease is not null)),
  -- As the endpoint has it.
  ordered boolean not null,
  created_at timestamptz not null,
  -- Event ids sort by time, so this is also the list of an endpoint's deliveries.
  unique (endpoint_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
-- Claiming looks at the first due ones of each endpoint, so its cost does not depend on how many wait behind them.
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at, id) where state = 'pending';
create index webhook_deliveries_ordered on webhook_deliveries (endpoint_id, id) where state = 'pending' and ordered;
create index webhook_deliveries_sending on webhook_deliveries (endpoint_id, leased_until) where state = 'sending';
create index webhook_deliveries_unsent on webhook_deliveries (endpoint_id, event_id) where state in ('failed', 'skipped');
create index webhook_deliveries_created on webhook_deliveries using brin (created_at);

create table webhook_attempts (
  id bigint generated always as identity primary key,
  delivery_id bigint not null,
  attempted_at timestamptz not null,
  -- Null when no answer came.
  status smallint,
  duration_ms integer not null,
  -- In words; null when it succeeded.
  error text,
  -- The first 20 kB.
  answer text not null
);
create index webhook_attempts_delivery on webhook_attempts (delivery_id, id);
