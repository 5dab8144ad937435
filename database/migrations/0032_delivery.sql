-- What a buyer gets for an order, and the money that moved for it.

-- Copied from the beat when the order is made, so that later edits, replaced files or withdrawal change nothing of it.
-- Null in orders from before this migration.
alter table orders
  add column buyer_name text,
  add column master_sha256 text references stored_objects (sha256),
  add column stems_sha256 text references stored_objects (sha256),
  add column terms_version text,
  -- What the buyer's browser finishes a pending payment with; null once the order is final.
  add column client_secret text,
  -- Whether a pending payment waits for its buyer, such as for 3-D Secure.
  add column awaits_buyer boolean not null default false,
  -- The sum of its refunds and lost disputes that went through, and when the last of them did.
  add column refunded_cents integer not null default 0,
  add column refunded_at timestamptz;
alter table orders add constraint orders_refunded_check
  check (refunded_cents between 0 and amount_cents and (refunded_cents = 0 or refunded_at is not null)) not valid;
alter table orders validate constraint orders_refunded_check;
create index orders_master on orders (master_sha256) where master_sha256 is not null;
create index orders_payment_reference on orders (payment_reference) where payment_reference is not null;
create index orders_stems on orders (stems_sha256) where stems_sha256 is not null;
-- Sales in their order: of a producer, and of one beat.
drop index orders_producer;
create index orders_producer_sales on orders (producer_id, completed_at, id);
drop index orders_beat;
create index orders_beat_sales on orders (beat_id, completed_at, id) include (producer_id);

-- Tallied sales of a producer by days (UTC), so that a listing's total does not read them all.
create table sales_counts (
  producer_id bigint not null references users (id),
  -- Its first moment.
  day timestamptz not null,
  sales bigint not null check (sales > 0),
  primary key (producer_id, day)
);
insert into sales_counts (producer_id, day, sales)
  select producer_id, date_trunc('day', completed_at, 'UTC'), count(*) from orders
  where tallied and completed_at is not null group by 1, 2;

-- By trigger, since older instances tally, too.
create function count_tallied_sale() returns trigger language plpgsql as $$
begin
  insert into sales_counts (producer_id, day, sales)
    values (new.producer_id, date_trunc('day', new.completed_at, 'UTC'), 1)
  on conflict (producer_id, day) do update set sales = sales_counts.sales + 1;
  return null;
end $$;
create trigger orders_count_sales after update of tallied on orders for each row
  when (new.tallied and not old.tallied and new.completed_at is not null) execute function count_tallied_sale();

-- Money on its way back to a buyer.
create table refunds (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders (id),
  amount_cents integer not null check (amount_cents >= 0),
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  -- operator: `orders refund`; provider: made in the provider's dashboard; unfulfilled: the order failed after it was paid.
  origin text not null check (origin in ('operator', 'provider', 'unfulfilled')),
  -- The provider's id, once known.
  reference text unique,
  -- Counts requests to the provider, each of which has an idempotency key of its own once the one before has an answer.
  attempts integer not null default 0,
  -- When the provider was last asked for it, or how it is.
  asked_at timestamptz,
  failure_reason text,
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((status = 'pending') = (settled_at is null)),
  check ((status = 'failed') = (failure_reason is not null))
);
create index refunds_order on refunds (order_id);
create index refunds_pending on refunds (id) where status = 'pending';
-- A release before this one keeps the refund of a payment for a failed order in orders.refund, and may have asked the provider
-- for it. It may run beside this one, which reads and writes refunds only.
insert into refunds (order_id, amount_cents, origin, attempts, asked_at, created_at)
  select id, amount_cents, 'unfulfilled', 1, now(), now() from orders where refund = 'due';
create function add_refund_due() returns trigger language plpgsql as $$
begin
  insert into refunds (order_id, amount_cents, origin, attempts, asked_at, created_at)
  values (new.id, new.amount_cents, 'unfulfilled', 1, now(), now());
  return null;
end $$;
create trigger orders_refund_due after update of refund on orders for each row
  when (new.refund = 'due' and old.refund is distinct from new.refund) execute function add_refund_due();

-- The sandbox's own refunds, as a payment provider keeps them.
create table sandbox_refunds (
  id bigint generated always as identity primary key,
  order_id bigint not null,
  -- The idempotency key.
  key text not null unique,
  amount_cents integer not null check (amount_cents > 0),
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  created_at timestamptz not null default now()
);
create index sandbox_refunds_order on sandbox_refunds (order_id);
insert into sandbox_refunds (order_id, key, amount_cents, status)
  select order_id, 'sandbox_' || order_id, amount_cents, 'succeeded' from sandbox_payments where refunded;

-- A buyer's bank takes a payment back. Known by the provider's id, since only the provider tells of it.
create table disputes (
  reference text primary key,
  order_id bigint not null references orders (id),
  amount_cents integer not null check (amount_cents >= 0),
  -- The provider's word for why, such as `fraudulent`.
  reason text not null,
  status text not null check (status in ('open', 'won', 'lost')),
  -- The provider holds the money: from the withdrawal until it is given back, if ever.
  is_withdrawn boolean not null default false,
  opened_at timestamptz not null,
  closed_at timestamptz
);
create index disputes_order on disputes (order_id);

-- The ledger: every movement of money as entries whose sum is zero. Rows are added and never changed.
create table ledger_transactions (
  id bigint generated always as identity primary key,
  -- sale, refund, dispute, …
  kind text not null,
  -- The fact that it records, such as `order 12`: recorded once.
  source text not null,
  order_id bigint references orders (id),
  at timestamptz not null,
  unique (source, kind)
);
create index ledger_transactions_at on ledger_transactions (at, id);
create index ledger_transactions_order on ledger_transactions (order_id);

create table ledger_entries (
  transaction_id bigint not null references ledger_transactions (id),
  -- Such as `assets:stripe` or `liabilities:producers:7`.
  account text not null,
  -- A debit is positive, a credit negative.
  amount_cents bigint not null check (amount_cents <> 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  primary key (transaction_id, account, currency)
);
create index ledger_entries_account on ledger_entries (account, currency);

-- Days (UTC, by their first moment) on which the ledger was compared with a payment provider.
create table ledger_comparisons (
  provider text not null,
  day timestamptz not null,
  differences integer not null check (differences >= 0),
  compared_at timestamptz not null,
  primary key (provider, day)
);

create function require_balanced() returns trigger language plpgsql as $$
begin
  if exists (select from ledger_entries where transaction_id = new.transaction_id
             group by currency having sum(amount_cents) <> 0) then
    raise check_violation using message = 'the entries of ledger transaction ' || new.transaction_id || ' do not sum to zero';
  end if;
  return null;
end $$;
create constraint trigger ledger_entries_balanced after insert on ledger_entries
  deferrable initially deferred for each row execute function require_balanced();

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise integrity_constraint_violation using message = 'the ledger is append-only: record a reversal instead';
end $$;
create trigger ledger_entries_are_final before update or delete on ledger_entries
  for each row execute function refuse_ledger_change();
create trigger ledger_transactions_are_final before update or delete on ledger_transactions
  for each row execute function refuse_ledger_change();

-- Files made of a beat's master for its buyers, by the master's hash: the same master has them once.
create table renditions (
  master_sha256 text not null references stored_objects (sha256),
  kind text not null check (kind in ('mp3', 'wav')),
  sha256 text not null references stored_objects (sha256),
  bytes bigint not null check (bytes >= 0),
  content_type text not null,
  primary key (master_sha256, kind)
);
create index renditions_object on renditions (sha256);

-- A file of an order that its buyer downloaded, however many requests that took.
create table order_downloads (
  order_id bigint not null references orders (id),
  kind text not null,
  downloaded_at timestamptz not null,
  primary key (order_id, kind)
);

-- The terms that licenses were sold under, in full. A version never changes and is kept for good.
create table license_terms (
  version text not null,
  license_type text not null,
  title text not null,
  text text not null,
  -- Orders from before terms had versions are under the first one.
  recorded_at timestamptz not null,
  primary key (version, license_type)
);

-- Certificates of what was bought. Made once, and as they were made ever since.
create table licenses (
  id uuid primary key default gen_random_uuid(),
  order_id bigint not null unique references orders (id),
  jws text not null,
  pdf_sha256 text not null references stored_objects (sha256),
  pdf_bytes bigint not null check (pdf_bytes >= 0),
  issued_at timestamptz not null
);
create index licenses_pdf on licenses (pdf_sha256);

-- Keys that certificates are signed with. The public ones are kept for good; the newest one signs.
create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  -- Sealed.
  private_key text not null,
  created_at timestamptz not null
);
