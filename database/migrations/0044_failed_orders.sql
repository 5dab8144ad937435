-- How long an order for an exclusive license held its beat without paying. Null for orders that failed before.
alter table orders add column failed_at timestamptz;
