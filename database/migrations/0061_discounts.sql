-- Discounts of producers (docs/discounts.md), and which checkouts they took something off.

create table discounts (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  name text not null check (length(name) between 1 and 80),
  -- In upper case; null for a discount that applies by itself.
  code text check (code ~ '^[A-Z0-9][A-Z0-9_-]{2,31}$'),
  kind text not null check (kind in ('percent', 'amount', 'pack', 'ownership')),
  percent smallint check (percent between 1 and 100),
  amount_cents integer check (amount_cents > 0),
  pack_size smallint check (pack_size between 2 and 10),
  pack_paid smallint check (pack_paid between 1 and pack_size - 1),
  valid_from timestamptz,
  valid_until timestamptz check (valid_until > valid_from),
  max_uses integer check (max_uses > 0),
  max_uses_per_buyer integer check (max_uses_per_buyer > 0),
  -- Null for all.
  beat_ids bigint[] check (cardinality(beat_ids) between 1 and 200),
  license_types text[] check (
    license_types <@ array['basic', 'premium', 'unlimited', 'exclusive'] and cardinality(license_types) > 0),
  -- Paid checkouts that it took something off.
  uses_count integer not null default 0 check (uses_count >= 0 and uses_count <= coalesce(max_uses, uses_count)),
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((kind = 'percent') = (percent is not null)),
  check ((kind = 'amount') = (amount_cents is not null)),
  check ((kind = 'pack') = (pack_size is not null and pack_paid is not null))
);
create unique index discounts_own_code on discounts (user_id, code) where ended_at is null;
create index discounts_code on discounts (code) where code is not null;
create index discounts_user_newest on discounts (user_id, id);

create table discount_uses (
  checkout_id bigint not null references checkouts (id),
  discount_id bigint not null references discounts (id),
  amount_cents integer not null check (amount_cents > 0),
  -- With the payment; null before.
  used_at timestamptz,
  primary key (checkout_id, discount_id)
);
create index discount_uses_discount on discount_uses (discount_id) where used_at is not null;

-- What was taken off the price of an item; amount_cents is what is paid.
alter table checkout_items add column discount_cents integer not null default 0 check (discount_cents >= 0);
