-- Orders that replace a license: upgrades, and renewals of the same type (docs/clauses.md, Upgrades).
alter table orders add column upgrades_license uuid references licenses (id);
create index orders_upgrades on orders (upgrades_license) where upgrades_license is not null;
