-- Refunds of orders that upgrade a license which was paid back (docs/clauses.md, Upgrades).
alter table refunds drop constraint refunds_origin_check;
alter table refunds add constraint refunds_origin_check
  check (origin in ('operator', 'provider', 'unfulfilled', 'upgraded')) not valid;
