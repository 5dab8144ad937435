-- Who may sign in to the portal, by Better Auth; its tables under names of ours.
create table portal_users (
  id text primary key,
  -- Whoever may sign in is a user of the marketplace, made or found in the same transaction.
  user_id bigint not null unique references users,
  name text not null,
  email text not null unique check (email = lower(email)),
  email_verified boolean not null,
  image text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table portal_credentials (
  id text primary key,
  user_id text not null references portal_users,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  -- scrypt, with its salt.
  password text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (provider_id, account_id)
);
create index portal_credentials_user on portal_credentials (user_id);

create table portal_sessions (
  id text primary key,
  user_id text not null references portal_users,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index portal_sessions_user on portal_sessions (user_id);
create index portal_sessions_expired on portal_sessions (expires_at);

-- Links that prove a mailbox. Nothing of a registration stands elsewhere until its link was followed.
create table portal_mail_links (
  token_sha256 bytea primary key check (length(token_sha256) = 32),
  purpose text not null check (purpose in ('register', 'reset')),
  email text not null check (email = lower(email)),
  -- What was asked for at registration.
  name text,
  password_hash text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check ((purpose = 'register') = (name is not null)),
  check ((purpose = 'register') = (password_hash is not null))
);
create index portal_mail_links_email on portal_mail_links (email);
create index portal_mail_links_expired on portal_mail_links (expires_at);

-- How often something was tried of late, over all instances: what slows guessing and flooding.
create table portal_attempts (
  subject text primary key,
  count integer not null check (count >= 0),
  window_ends_at timestamptz not null
);
create index portal_attempts_ended on portal_attempts (window_ends_at);

-- What was done with an account, its keys and its webhooks, for its owner to read.
create table audit_entries (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  time timestamptz not null,
  action text not null,
  -- What it was done to, as people call it: "API key 7 (Website, …x3Qa)". Empty for the account itself.
  subject text not null default '',
  -- Null: the operator did it.
  client_address text,
  user_agent text
);
create index audit_entries_user on audit_entries (user_id, id);
