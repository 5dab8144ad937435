-- The prices of all four licenses of the beat when its first order was placed: basic, premium, unlimited, exclusive. Terms may say that an
-- upgrade costs the difference to the price of that day (docs/clauses.md, Upgrades). Null in older orders: today's prices count for them.
alter table orders add column list_prices bigint[] check (cardinality(list_prices) = 4);
