-- What an account's owner replayed to an endpoint in the current window; the sum over the account is bounded.
alter table webhook_endpoints
  add column replayed integer not null default 0,
  add column replay_window_ends_at timestamptz;
