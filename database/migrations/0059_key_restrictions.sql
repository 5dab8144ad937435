-- What a key may spend on orders in any 30 days, in cents, null for no cap; and the addresses and networks that may use it,
-- none for all (docs/api/authentication.md, Restrictions).
alter table api_keys add column spending_cap_cents bigint check (spending_cap_cents between 1 and 100000000);
alter table api_keys add column allowed_networks text[] not null default '{}';
