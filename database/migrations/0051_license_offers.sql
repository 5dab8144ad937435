-- What a producer sells of a beat: which licenses, with which limits, and whether a tagged file of it is free.

alter table beats
  -- Types of licenses that the producer does not sell. At least one is sold.
  add column unsold_licenses text[] not null default '{}'
    check (unsold_licenses <@ array['basic', 'premium', 'unlimited', 'exclusive'] and cardinality(unsold_licenses) < 4),
  -- Limits of its own, by type and clause: {"basic": {"streams": 50000}}. The others are those of the terms.
  add column license_limits jsonb not null default '{}' check (jsonb_typeof(license_limits) = 'object'),
  add column has_free_download boolean not null default false;

-- The price that lists show: of the first license that is sold.
create function list_price_cents(unsold text[], basic integer, premium integer, unlimited integer, exclusive integer)
returns integer language sql immutable parallel safe as $$
  select case when unsold = '{}' or 'basic' <> all (unsold) then basic
    when 'premium' <> all (unsold) then premium
    when 'unlimited' <> all (unsold) then unlimited
    else exclusive end
$$;

-- Which licenses can be bought: 1 basic, 2 premium, 4 unlimited, 8 exclusive.
create function available_licenses(exclusive_state text, unsold text[])
returns integer language sql immutable parallel safe as $$
  select case when exclusive_state <> 'available' then 0
    when unsold = '{}' then 15
    else ('basic' <> all (unsold))::integer + 2 * ('premium' <> all (unsold))::integer
      + 4 * ('unlimited' <> all (unsold))::integer + 8 * ('exclusive' <> all (unsold))::integer end
$$;

-- What the beats that a producer makes from now on begin with.
create table license_defaults (
  user_id bigint primary key references users (id),
  unsold_licenses text[] not null,
  license_limits jsonb not null,
  has_free_download boolean not null,
  updated_at timestamptz not null
);

-- The text with its limits still to be filled in, and the limits; null of terms that name none.
alter table license_terms add column template text, add column limits jsonb;

-- The limits that an order was sold with, where they are not those of its terms.
alter table orders add column license_limits jsonb;
alter table checkout_items add column license_limits jsonb;

-- A tagged file for an address: with the consent that its producer may write to it, until that is withdrawn.
create table free_downloads (
  id bigint generated always as identity primary key,
  -- The secret part of the address of its page.
  token text not null unique,
  beat_id bigint not null references beats (id),
  producer_id bigint not null references users (id),
  -- In lower case.
  email text not null,
  -- The account of a buyer who was signed in.
  user_id bigint references users (id),
  -- The sentence that was agreed to.
  consent text not null,
  requested_at timestamptz not null,
  confirmed_at timestamptz,
  withdrawn_at timestamptz,
  unique (beat_id, email)
);
create index free_downloads_producer on free_downloads (producer_id, id);
create index free_downloads_user on free_downloads (user_id);
create index free_downloads_email on free_downloads (email);
