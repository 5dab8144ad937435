-- Orders and what keeps them true: exclusives that sell once, final states, the sandbox's memory, Idempotency-Keys.

-- The exclusive licence: available → held by one order for some minutes → sold, or available again. Every step is one
-- conditional update (beats/exclusive.ts). No licence of a beat that is held or sold can be bought.
alter table beats
  add column exclusive_state text not null default 'available' check (exclusive_state in ('available', 'held', 'sold')),
  -- The order that holds or bought it. No foreign key: the beat is held in the moment before its order is written.
  add column exclusive_order_id bigint,
  add column exclusive_held_until timestamptz,
  add check ((exclusive_state = 'available') = (exclusive_order_id is null)),
  add check ((exclusive_state = 'held') = (exclusive_held_until is not null)),
  add check (exclusive_state <> 'sold' or not is_listed);
create index beats_exclusive_held on beats (exclusive_held_until) where exclusive_state = 'held';

create table orders (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  beat_id bigint not null references beats,
  -- As it was when it was bought; a title or name that changes later does not change the order.
  title text not null,
  producer_id bigint not null references users,
  producer_name text not null,
  license_type text not null check (license_type in ('basic', 'premium', 'unlimited', 'exclusive')),
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'pending' check (status in ('pending', 'completed', 'failed')),
  failure_reason text check ((status = 'failed') = (failure_reason is not null)),
  payment_method text not null,
  -- Who was asked to charge: "sandbox" or "stripe".
  payment_provider text not null,
  -- Names this payment to the provider, so that it is made at most once: the order's id, and random letters that tell
  -- it from the same id in another database that uses the same account.
  payment_key text not null unique,
  -- The provider's own name for the payment, once known.
  payment_reference text,
  -- Money that came for an order that had failed is due back, then done.
  refund text check (refund in ('due', 'done')) check (refund is null or status = 'failed'),
  -- The run of an Idempotency-Key that this order answers; it makes a repeated run find the order.
  idempotency_run uuid unique,
  -- Whether order_counts and the beat's download_count have it already; never while pending.
  tallied boolean not null default false check (not tallied or status <> 'pending'),
  created_at timestamptz not null,
  completed_at timestamptz check ((status = 'completed') = (completed_at is not null))
);
create index orders_user_newest on orders (user_id, created_at, id);
create index orders_user_status_newest on orders (user_id, status, created_at, id);
create index orders_pending on orders (id) where status = 'pending';
create index orders_refund_due on orders (id) where refund = 'due';
create index orders_untallied on orders (user_id, status) where not tallied;

-- pending → completed or failed, both final; what was ordered never changes.
create function guard_order() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending'
    and (new.status, new.failure_reason, new.completed_at)
      is distinct from (old.status, old.failure_reason, old.completed_at)
  then
    raise exception 'order % is %, which is final', old.id, old.status using errcode = 'check_violation';
  end if;
  if (new.id, new.user_id, new.beat_id, new.title, new.producer_id, new.producer_name, new.license_type,
      new.amount_cents, new.currency, new.payment_method, new.payment_provider, new.payment_key, new.created_at)
    is distinct from
     (old.id, old.user_id, old.beat_id, old.title, old.producer_id, old.producer_name, old.license_type,
      old.amount_cents, old.currency, old.payment_method, old.payment_provider, old.payment_key, old.created_at)
  then
    raise exception 'what order % is of never changes', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger orders_guarded before update on orders for each row execute function guard_order();

-- How many orders each account has in each final state, but for those not tallied yet: the total of a list is this
-- plus a count of those few. Counting each order as it happens would make an account's orders wait for one another.
create table order_counts (
  user_id bigint not null references users,
  status text not null check (status in ('completed', 'failed')),
  count bigint not null check (count > 0),
  primary key (user_id, status)
);

-- What the sandbox, a payment provider that moves no money, remembers of each payment (orders/payments/sandbox.ts).
create table sandbox_payments (
  order_id bigint primary key,
  amount_cents integer not null,
  currency text not null,
  payment_method text not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  failure_reason text check ((status = 'failed') = (failure_reason is not null)),
  refunded boolean not null default false check (not refunded or status = 'succeeded')
);

-- Idempotency-Keys of the last 24 hours (http/idempotency.ts).
create table idempotency_keys (
  user_id bigint not null references users,
  key text not null,
  -- One execution of the request, however many processes took part in it.
  run uuid not null,
  -- SHA-256 of the operation and its validated input.
  fingerprint bytea not null,
  -- Whoever runs it has until then; afterwards another may take over.
  leased_until timestamptz not null,
  -- The answer in both forms; null while running.
  answer text,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);
