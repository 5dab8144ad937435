-- Where a producer is paid.
create table payout_accounts (
  user_id bigint primary key references users (id),
  -- The holder of the bank account, and its IBAN without spaces; null for an account at Stripe alone.
  holder text check (length(holder) between 1 and 70),
  iban text check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  -- The connected account at Stripe, such as acct_1N….
  stripe_account text check (stripe_account ~ '^acct_[A-Za-z0-9]{1,64}$'),
  -- Why the newest payout failed: nothing is paid there until the details change, or an operator tries again.
  blocked_reason text,
  updated_at timestamptz not null,
  check ((holder is null) = (iban is null)),
  check (iban is not null or stripe_account is not null)
);

-- A run pays all balances that are due at its time, by one method. One is open at a time.
create table payout_runs (
  id bigint generated always as identity primary key,
  method text not null check (method in ('sepa', 'csv', 'stripe')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Sales before it are cleared.
  cleared_before timestamptz not null,
  -- The account that a retry is for; null for all.
  only_user_id bigint references users (id),
  -- Accounts up to this one have their payouts.
  collected_to bigint not null default 0,
  created_at timestamptz not null,
  -- When all accounts had their payouts.
  collected_at timestamptz,
  -- When all payouts were sent.
  finished_at timestamptz
);
create unique index payout_runs_open on payout_runs ((true)) where finished_at is null;

create table payouts (
  id bigint generated always as identity primary key,
  run_id bigint not null references payout_runs (id),
  user_id bigint not null references users (id),
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Where it goes, as it was when the payout was made.
  holder text,
  iban text,
  stripe_account text,
  status text not null default 'pending' check (status in ('pending', 'sent', 'paid', 'failed')),
  -- How often the provider refused it for a reason that is not the account's, such as a balance that does not suffice.
  refusals integer not null default 0,
  -- The transfer at Stripe.
  reference text unique,
  failure_reason text,
  created_at timestamptz not null,
  -- Set before the provider is called, and before a file is written.
  sent_at timestamptz,
  settled_at timestamptz,
  unique (run_id, user_id),
  check (iban is not null or stripe_account is not null),
  check ((status = 'failed') = (failure_reason is not null)),
  check ((status in ('paid', 'failed')) = (settled_at is not null))
);
create index payouts_user_id on payouts (user_id, id);
create index payouts_open on payouts (run_id, id) where status in ('pending', 'sent');
