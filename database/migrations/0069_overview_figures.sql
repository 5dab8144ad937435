-- What the operators' overview counts.
create index uploads_created on uploads (created_at);
create index payout_accounts_blocked on payout_accounts (user_id) where blocked_reason is not null;
create index outgoing_mails_failed on outgoing_mails (failed_at) where failed_at is not null;
