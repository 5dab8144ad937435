-- The ZIP of an order names the CRC-32 of each file before its bytes. It is computed once.
alter table stored_objects add column crc32 bigint check (crc32 between 0 and 4294967295);

-- A buyer asks for the money back; producer and operators see it, and an operator answers (docs/buying.md, Ask for a refund).
create table refund_requests (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders (id),
  reason text not null check (reason in ('mistake', 'duplicate', 'not_as_described', 'files', 'other')),
  -- Null once it is erased.
  details text check (length(details) between 1 and 2000),
  state text not null default 'open' check (state in ('open', 'granted', 'refused')),
  created_at timestamptz not null,
  -- What the buyer is told; null unless refused.
  response text check (length(response) between 1 and 2000),
  answered_at timestamptz,
  check ((state = 'open') = (answered_at is null)),
  check ((state = 'refused') = (response is not null))
);
create unique index refund_requests_open on refund_requests (order_id) where state = 'open';
create index refund_requests_order_id on refund_requests (order_id, id);
create index refund_requests_created_at on refund_requests (created_at);

-- What buyer and producer write to each other about an order. The service mails it, so neither learns the other's address.
create table order_messages (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders (id),
  author text not null check (author in ('buyer', 'producer')),
  -- Null once it is erased.
  text text check (length(text) between 1 and 2000),
  created_at timestamptz not null
);
create index order_messages_order_id on order_messages (order_id, id);
create index order_messages_created_at on order_messages (created_at);
