-- Which key new secrets are sealed under, and how. Every instance reads it here, so that all change over at one moment.
create table sealing_key (
  only_row boolean primary key default true check (only_row),
  -- Null until the first secret is sealed.
  id text,
  -- 1: not bound to its row, as earlier releases open it; 2: with the key's id, bound to table, column and row.
  format smallint not null check (format in (1, 2))
);
-- Earlier releases may be running beside this one, and there are secrets that they need.
insert into sealing_key (format) select case when exists (select from webhook_endpoints) then 1 else 2 end;
