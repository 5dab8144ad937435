-- What the portal shows of webhooks (docs/webhooks.md): the inbox, health at a glance, deliveries by state and type.

-- "inbox" is served by the workers like "http", but received within this service: its deliveries never leave it.
alter table webhook_endpoints drop constraint webhook_endpoints_kind_check;
alter table webhook_endpoints add constraint webhook_endpoints_kind_check check (kind in ('http', 'inbox', 'listen'));
create unique index webhook_endpoints_inbox on webhook_endpoints (user_id) where kind = 'inbox';
alter table webhook_endpoints add column last_failure_at timestamptz;

-- As the event has it; '' in rows that an instance from before this migration wrote.
alter table webhook_deliveries add column type text not null default '';
update webhook_deliveries set type = events.type from events where events.id = event_id;
-- Any choice of states and types is a few seeks, however many deliveries an endpoint has.
create index webhook_deliveries_listed on webhook_deliveries (endpoint_id, state, type, event_id);

-- What inboxes received; the newest of each are kept (webhooks/inbox.ts).
create table webhook_receipts (
  id bigint generated always as identity primary key,
  endpoint_id bigint not null references webhook_endpoints on delete cascade,
  delivery_id bigint not null,
  received_at timestamptz not null,
  headers jsonb not null,
  body text not null,
  -- The HMAC of the body that the inbox computed, to compare with the header.
  computed_signature text not null,
  -- The end of the secret that it used.
  secret_end text not null,
  verified boolean not null
);
create index webhook_receipts_endpoint on webhook_receipts (endpoint_id, id);
