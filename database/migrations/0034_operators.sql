-- Operators among the accounts, and suspended accounts (docs/operating.md, The admin pages).

alter table users
  add column operator boolean not null default false,
  add column suspended_at timestamptz,
  -- A sentence that the account's owner reads.
  add column suspension_reason text,
  add check ((suspended_at is null) = (suspension_reason is null));

-- Accounts are the users with an address; imported producers have none.
create index users_accounts on users (id) where email is not null;
create index users_accounts_email on users (email text_pattern_ops) where email is not null;
create index users_accounts_name on users (lower(display_name) text_pattern_ops) where email is not null;
create index users_suspended on users (id) where suspended_at is not null;
create index api_keys_ends_with on api_keys (ends_with);

-- The operator who acted in the portal; null for owners, and for commands.
alter table audit_entries add column operator_id bigint references users (id);
create index audit_entries_operator on audit_entries (operator_id, id) where operator_id is not null;
create index audit_entries_action on audit_entries (action, id);
create index audit_entries_time on audit_entries (time, id);

-- A refund that was asked for with an Idempotency-Key is made once.
alter table refunds add column idempotency_run uuid unique;

-- Calls of all accounts, newest first, and those that were refused or failed.
create index request_log_blocks_newest on request_log_blocks (last_at, id);
create index request_log_blocks_newest_refused on request_log_blocks (last_at, id) where refused > 0;
create index request_rollups_errors on request_rollups (seconds, start) where status >= 400;
