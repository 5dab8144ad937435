-- One payment of one or more licenses (docs/api/checkouts.md). Its orders come into being with the payment.

create table checkouts (
  id bigint generated always as identity primary key,
  -- The buyer. Null until the payment where someone buys without an account.
  user_id bigint references users (id),
  -- Where receipts go. An account is found by it, or made, where user_id is null.
  email text,
  -- The name on the licenses of somebody without an account, if they gave one.
  buyer_name text,
  -- Ours, unique and unguessable: identifies the payment at the provider, and is the address of its page.
  payment_key text not null unique,
  status text not null default 'open' check (status in ('open', 'completed', 'expired', 'cancelled')),
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  payment_provider text not null,
  -- The provider's id of its payment page.
  page_reference text,
  -- Where the buyer pays; null until the provider has made its page.
  url text,
  success_url text,
  cancel_url text,
  terms_version text not null,
  -- A sentence; why a checkout was cancelled.
  failure_reason text,
  idempotency_run uuid unique,
  request_id text,
  trace_context text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the provider was last asked about an open one.
  asked_at timestamptz,
  finished_at timestamptz,
  check ((status = 'open') = (finished_at is null)),
  check ((status = 'cancelled') = (failure_reason is not null)),
  check (user_id is not null or email is not null)
);
create index checkouts_open on checkouts (id) where status = 'open';
create index checkouts_user_id on checkouts (user_id);

create table checkout_items (
  checkout_id bigint not null references checkouts (id),
  position smallint not null,
  beat_id bigint not null references beats (id),
  license_type text not null check (license_type in ('basic', 'premium', 'unlimited', 'exclusive')),
  -- The price that the buyer pays, whatever it becomes in the meantime.
  amount_cents integer not null check (amount_cents >= 0),
  title text not null,
  producer_name text not null,
  -- The id of the order that the payment makes. It holds an exclusive license before.
  order_id bigint not null unique,
  primary key (checkout_id, position),
  unique (checkout_id, beat_id)
);
create index checkout_items_beat_id on checkout_items (beat_id);

-- The licenses that an account means to buy. Those of somebody without one are in their browser.
create table basket_items (
  user_id bigint not null references users (id),
  beat_id bigint not null references beats (id),
  license_type text not null check (license_type in ('basic', 'premium', 'unlimited', 'exclusive')),
  -- The price that the buyer was shown.
  seen_cents integer not null check (seen_cents >= 0),
  added_at timestamptz not null,
  primary key (user_id, beat_id)
);
create index basket_items_beat_id on basket_items (beat_id);

-- The payment key of the checkout that paid for the order, with others.
alter table orders add column checkout_key text references checkouts (payment_key);
create index orders_checkout_key on orders (checkout_key) where checkout_key is not null;

-- What the sandbox knows of a checkout's payment page.
create table sandbox_checkouts (
  checkout_key text primary key,
  amount_cents integer not null,
  currency text not null,
  status text not null check (status in ('open', 'approving', 'processing', 'succeeded', 'expired')),
  payment_method text,
  -- Why the last card was declined.
  failure_reason text,
  paid_at timestamptz,
  created_at timestamptz not null
);
