-- What an account secures itself with (docs/security.md): changed addresses, authenticators, passkeys, devices of sessions.

-- A link for another address belongs to an account; the address that it is mailed to has none, or had one.
alter table portal_mail_links
  add column account_id text references portal_users (id) on delete cascade,
  drop constraint portal_mail_links_purpose_check,
  add constraint portal_mail_links_purpose_check
    check (purpose in ('register', 'reset', 'change-email', 'undo-email')) not valid;
alter table portal_mail_links validate constraint portal_mail_links_purpose_check;
create index portal_mail_links_account on portal_mail_links (account_id) where account_id is not null;

-- Begun by a browser that the account did not know, or by one that followed such a session.
alter table portal_sessions add column new_device boolean not null default false;

-- Time-based one-time passwords (RFC 6238).
create table portal_authenticators (
  account_id text primary key references portal_users (id) on delete cascade,
  -- Sealed (server/src/resources/secrets).
  secret text not null,
  -- Of the last code that was accepted; it and earlier ones are refused.
  last_step bigint not null,
  created_at timestamptz not null
);
create table portal_recovery_codes (
  account_id text not null references portal_authenticators (account_id) on delete cascade,
  sha256 bytea not null check (length(sha256) = 32),
  primary key (account_id, sha256)
);

-- Public keys of WebAuthn credentials.
create table portal_passkeys (
  id bigint generated always as identity primary key,
  account_id text not null references portal_users (id) on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  -- Whether other devices of its owner have it, too.
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index portal_passkeys_account on portal_passkeys (account_id, id);
