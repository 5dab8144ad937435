-- A balance is a sum over the index, without the rows of the table.
create index ledger_entries_balance on ledger_entries (account, currency) include (amount_cents);
