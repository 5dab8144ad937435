-- When a mail was first given to the mail server: it is given up three days later, however long it waited before. Null for a
-- mail that an earlier release has tried, whose days count from its creation.
alter table outgoing_mails add column first_attempt_at timestamptz;

-- A balance is a sum over the index, without the rows of the table.
create index ledger_entries_balance on ledger_entries (account, currency) include (amount_cents);
drop index ledger_entries_account;

-- One check for each statement in place of one for each row at the commit. A statement has all entries of its transactions, so
-- that each of them sums to zero if those of every statement do.
create function require_balanced_entries() returns trigger language plpgsql as $$
declare
  unbalanced bigint;
begin
  select transaction_id into unbalanced from became
    group by transaction_id, currency having sum(amount_cents) <> 0 order by transaction_id limit 1;
  if unbalanced is not null then
    raise check_violation using message = 'the entries of ledger transaction ' || unbalanced || ' do not sum to zero';
  end if;
  return null;
end $$;
create trigger ledger_entries_sum_to_zero after insert on ledger_entries
  referencing new table as became for each statement execute function require_balanced_entries();
drop trigger ledger_entries_balanced on ledger_entries;
drop function require_balanced();

-- Orders that are inserted as completed are logged together, at the commit: one look at the end of the log for all of them.
create table license_log_batches (
  id bigint generated always as identity primary key,
  order_ids bigint[] not null
);
create function batch_completed_orders() returns trigger language plpgsql as $$
begin
  insert into license_log_batches (order_ids)
    select array_agg(id order by id) from became where status = 'completed' having count(*) > 0;
  return null;
end $$;
create trigger orders_inserted_leaves after insert on orders
  referencing new table as became for each statement execute function batch_completed_orders();
drop trigger orders_inserted_leaf on orders;

create function log_completed_orders() returns trigger language plpgsql as $$
declare
  last record;
begin
  perform lock_commit_order();
  select l.index, l.at into last from license_log l order by l.index desc limit 1;
  insert into license_log (index, kind, beat_id, order_id, at, salt)
    select coalesce(last.index + 1, 0) + place - 1, 'sold', beat_id, id, greatest(last.at, max(second) over (order by place)),
           sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
    from (
      select place, id, beat_id, date_trunc('second', coalesce(completed_at, now())) as second
      from unnest(new.order_ids) with ordinality as batched (id, place) join orders using (id)
    ) as sold
    order by place;
  delete from license_log_batches where id = new.id;
  return null;
end $$;
create constraint trigger license_log_batches_inserted after insert on license_log_batches
  deferrable initially deferred for each row execute function log_completed_orders();
