-- The outbox: one row for each event, written in the transaction of the fact it tells (resources/webhooks/outbox.ts).
create table events (
  -- "evt_" and 26 letters that sort by time.
  id text primary key,
  type text not null
    check (type in ('beat.created', 'beat.updated', 'beat.purchased', 'user.registered', 'user.updated')),
  -- When the fact happened; `created` in the payload is this, in whole seconds.
  created_at timestamptz not null,
  -- The finished body of a delivery, byte for byte: {id, created, type, data} (contract 6.2).
  payload text not null,
  -- The accounts it concerns; null when every subscriber may know.
  audience bigint[]
);
create index events_created on events (created_at, id);
