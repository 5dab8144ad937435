-- Checkouts and baskets take upgrades and renewals (docs/clauses.md, Upgrades).
alter table checkout_items
  add column upgrades_license uuid references licenses (id),
  -- What the license that is replaced counts for, in cents.
  add column credit_cents bigint not null default 0 check (credit_cents >= 0);
alter table basket_items add column upgrades_license uuid references licenses (id);
