-- The key that placed an order; null for one that was placed without a key, and for checkouts. No foreign key: what was spent stays counted.
alter table orders add column api_key_id bigint;
create index orders_of_key on orders (api_key_id, created_at) where api_key_id is not null;
