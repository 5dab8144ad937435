-- Logins of programs without a browser: what a program asks for, until a person confirms or denies it (RFC 8628).

create table device_logins (
  -- SHA-256 of the device code.
  code_sha256 bytea primary key,
  user_code text not null unique,
  -- What the key is for, as the program says it.
  name text not null,
  permissions text[] not null,
  -- Where the program asked from.
  client_address text not null,
  expires_at timestamptz not null,
  polled_at timestamptz,
  is_denied boolean not null default false,
  -- The key that the person made. Its text follows from the device code, and is not stored.
  api_key_id bigint references api_keys (id) on delete cascade
);
create index device_logins_expired on device_logins (expires_at);
create index device_logins_of_key on device_logins (api_key_id) where api_key_id is not null;
