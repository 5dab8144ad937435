-- API keys: only the SHA-256 of a key is stored (DESIGN, keys).
create table api_keys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  name text not null,
  sha256 bytea not null unique check (length(sha256) = 32),
  -- The last four characters, so that a person can tell their keys apart.
  ends_with text not null check (length(ends_with) = 4),
  plan text not null check (plan in ('standard', 'plus', 'partner', 'internal')),
  permissions text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_user on api_keys (user_id, id);
