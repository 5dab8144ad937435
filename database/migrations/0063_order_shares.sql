-- Who gets what of a sale, as it was agreed at the purchase. Orders of earlier releases have no commission.
alter table orders add column commission_basis_points integer not null default 0
  check (commission_basis_points between 0 and 10000);

-- What is left of an order after the commission, in basis points that sum to 10,000. Without rows all of it is the producer's.
create table order_shares (
  order_id bigint not null references orders (id),
  user_id bigint not null references users (id),
  basis_points integer not null check (basis_points between 1 and 10000),
  primary key (order_id, user_id)
);
create index order_shares_user_id on order_shares (user_id, order_id);

-- A split that the producer of a beat offers: the collaborators, without the producer, who gets the rest.
create table beat_shares (
  id bigint generated always as identity primary key,
  beat_id bigint not null references beats (id) on delete cascade,
  -- The collaborator's account; null while an address has none that accepted.
  user_id bigint references users (id),
  -- The address that was invited, in lower case; null for an account that was invited by its username.
  email text,
  basis_points integer not null check (basis_points between 1 and 9999),
  invited_at timestamptz not null,
  accepted_at timestamptz,
  declined_at timestamptz,
  check (user_id is not null or email is not null),
  check (accepted_at is null or (user_id is not null and declined_at is null)),
  unique (beat_id, user_id),
  unique (beat_id, email)
);
create index beat_shares_user_id on beat_shares (user_id);
create index beat_shares_email on beat_shares (email);
