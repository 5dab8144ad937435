-- ledger_entries_balance serves the same queries.
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
