-- The tables of this package, as a program's migrations create them, and the accounts that they refer to.
CREATE TABLE users (
  id bigint NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id)
);
CREATE TABLE portal_users (
  id text NOT NULL,
  user_id bigint NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  email_verified boolean NOT NULL,
  image text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT portal_users_email_key UNIQUE (email),
  CONSTRAINT portal_users_user_id_key UNIQUE (user_id),
  CONSTRAINT portal_users_pkey PRIMARY KEY (id),
  CONSTRAINT portal_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT portal_users_email_check CHECK ((email = lower(email)))
);
CREATE TABLE portal_attempts (
  subject text NOT NULL,
  count integer NOT NULL,
  window_ends_at timestamp with time zone NOT NULL,
  CONSTRAINT portal_attempts_pkey PRIMARY KEY (subject),
  CONSTRAINT portal_attempts_count_check CHECK ((count >= 0))
);
CREATE INDEX portal_attempts_ended ON public.portal_attempts USING btree (window_ends_at);
CREATE TABLE portal_authenticators (
  account_id text NOT NULL,
  secret text NOT NULL,
  last_step bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT portal_authenticators_pkey PRIMARY KEY (account_id),
  CONSTRAINT portal_authenticators_account_id_fkey FOREIGN KEY (account_id) REFERENCES portal_users(id) ON DELETE CASCADE
);
CREATE TABLE portal_passkeys (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  account_id text NOT NULL,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  is_synced boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  CONSTRAINT portal_passkeys_credential_id_key UNIQUE (credential_id),
  CONSTRAINT portal_passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT portal_passkeys_account_id_fkey FOREIGN KEY (account_id) REFERENCES portal_users(id) ON DELETE CASCADE
);
CREATE INDEX portal_passkeys_account ON public.portal_passkeys USING btree (account_id, id);
CREATE TABLE portal_recovery_codes (
  account_id text NOT NULL,
  sha256 bytea NOT NULL,
  CONSTRAINT portal_recovery_codes_pkey PRIMARY KEY (account_id, sha256),
  CONSTRAINT portal_recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES portal_authenticators(account_id) ON DELETE CASCADE,
  CONSTRAINT portal_recovery_codes_sha256_check CHECK ((length(sha256) = 32))
);
CREATE TABLE portal_sessions (
  id text NOT NULL,
  user_id text NOT NULL,
  token text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  new_device boolean DEFAULT false NOT NULL,
  acting_as bigint,
  second_factor boolean DEFAULT false NOT NULL,
  CONSTRAINT portal_sessions_token_key UNIQUE (token),
  CONSTRAINT portal_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT portal_sessions_acting_as_fkey FOREIGN KEY (acting_as) REFERENCES users(id),
  CONSTRAINT portal_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES portal_users(id)
);
CREATE INDEX portal_sessions_expired ON public.portal_sessions USING btree (expires_at);
CREATE INDEX portal_sessions_user ON public.portal_sessions USING btree (user_id);
