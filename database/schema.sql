-- Generated from the migrations by `npm run schema`; do not edit.

CREATE EXTENSION pg_trgm;

CREATE TABLE account_versions (
  user_id bigint NOT NULL,
  version text NOT NULL,
  pinned_at timestamp with time zone NOT NULL,
  CONSTRAINT account_versions_pkey PRIMARY KEY (user_id),
  CONSTRAINT account_versions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE api_keys (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  name text NOT NULL,
  sha256 bytea NOT NULL,
  ends_with text NOT NULL,
  plan text NOT NULL,
  permissions text[] NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_by bigint,
  replaced_by bigint,
  spending_cap_cents bigint,
  allowed_networks text[] DEFAULT '{}'::text[] NOT NULL,
  api_version text,
  CONSTRAINT api_keys_sha256_key UNIQUE (sha256),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT api_keys_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES api_keys(id),
  CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT api_keys_ends_with_check CHECK ((length(ends_with) = 4)),
  CONSTRAINT api_keys_plan_check CHECK ((plan = ANY (ARRAY['standard'::text, 'plus'::text, 'partner'::text, 'internal'::text]))),
  CONSTRAINT api_keys_sha256_check CHECK ((length(sha256) = 32)),
  CONSTRAINT api_keys_spending_cap_cents_check CHECK (((spending_cap_cents >= 1) AND (spending_cap_cents <= 100000000)))
);
CREATE INDEX api_keys_created_by ON public.api_keys USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX api_keys_ends_with ON public.api_keys USING btree (ends_with);
CREATE INDEX api_keys_user ON public.api_keys USING btree (user_id, id);

CREATE TABLE audit_entries (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  time timestamp with time zone NOT NULL,
  action text NOT NULL,
  subject text DEFAULT ''::text NOT NULL,
  client_address text,
  user_agent text,
  operator_id bigint,
  person_id bigint,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entries_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES users(id),
  CONSTRAINT audit_entries_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id),
  CONSTRAINT audit_entries_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX audit_entries_action ON public.audit_entries USING btree (action, id);
CREATE INDEX audit_entries_operator ON public.audit_entries USING btree (operator_id, id) WHERE (operator_id IS NOT NULL);
CREATE INDEX audit_entries_person ON public.audit_entries USING btree (person_id) WHERE (person_id IS NOT NULL);
CREATE INDEX audit_entries_time ON public.audit_entries USING btree ("time", id);
CREATE INDEX audit_entries_user ON public.audit_entries USING btree (user_id, id);

CREATE TABLE backup_vaults (
  place text NOT NULL,
  id uuid NOT NULL,
  claimed_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT backup_vaults_pkey PRIMARY KEY (place)
);

CREATE TABLE basket_items (
  user_id bigint NOT NULL,
  beat_id bigint NOT NULL,
  license_type text NOT NULL,
  seen_cents integer NOT NULL,
  added_at timestamp with time zone NOT NULL,
  upgrades_license uuid,
  CONSTRAINT basket_items_pkey PRIMARY KEY (user_id, beat_id),
  CONSTRAINT basket_items_beat_id_fkey FOREIGN KEY (beat_id) REFERENCES beats(id),
  CONSTRAINT basket_items_upgrades_license_fkey FOREIGN KEY (upgrades_license) REFERENCES licenses(id),
  CONSTRAINT basket_items_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT basket_items_license_type_check CHECK ((license_type = ANY (ARRAY['basic'::text, 'premium'::text, 'unlimited'::text, 'exclusive'::text]))),
  CONSTRAINT basket_items_seen_cents_check CHECK ((seen_cents >= 0))
);
CREATE INDEX basket_items_beat_id ON public.basket_items USING btree (beat_id);

CREATE TABLE beat_files (
  beat_id bigint NOT NULL,
  name text NOT NULL,
  sha256 text NOT NULL,
  bytes bigint NOT NULL,
  content_type text NOT NULL,
  CONSTRAINT beat_files_pkey PRIMARY KEY (beat_id, name),
  CONSTRAINT beat_files_beat_id_fkey FOREIGN KEY (beat_id) REFERENCES beats(id) ON DELETE CASCADE,
  CONSTRAINT beat_files_sha256_fkey FOREIGN KEY (sha256) REFERENCES stored_objects(sha256),
  CONSTRAINT beat_files_bytes_check CHECK ((bytes >= 0))
);
CREATE INDEX beat_files_object ON public.beat_files USING btree (sha256);

CREATE TABLE beat_plays (
  beat_id bigint NOT NULL,
  day date NOT NULL,
  plays integer NOT NULL,
  CONSTRAINT beat_plays_pkey PRIMARY KEY (day, beat_id),
  CONSTRAINT beat_plays_beat_id_fkey FOREIGN KEY (beat_id) REFERENCES beats(id) ON DELETE CASCADE,
  CONSTRAINT beat_plays_plays_check CHECK ((plays > 0))
);
CREATE INDEX beat_plays_beat ON public.beat_plays USING btree (beat_id, day);

CREATE TABLE beat_productions (
  beat_id bigint NOT NULL,
  stage text DEFAULT 'draft'::text NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  audio_upload_id text,
  cover_upload_id text,
  stems_upload_id text,
  preview_tag text DEFAULT 'default'::text NOT NULL,
  bpm_source text,
  key_source text,
  analysis jsonb,
  rejection text,
  published_at timestamp with time zone,
  idempotency_run uuid,
  publish_at timestamp with time zone,
  changed_by_run uuid,
  CONSTRAINT beat_productions_idempotency_run_key UNIQUE (idempotency_run),
  CONSTRAINT beat_productions_pkey PRIMARY KEY (beat_id),
  CONSTRAINT beat_productions_audio_upload_id_fkey FOREIGN KEY (audio_upload_id) REFERENCES uploads(id),
  CONSTRAINT beat_productions_beat_id_fkey FOREIGN KEY (beat_id) REFERENCES beats(id) ON DELETE CASCADE,
  CONSTRAINT beat_productions_cover_upload_id_fkey FOREIGN KEY (cover_upload_id) REFERENCES uploads(id),
  CONSTRAINT beat_productions_stems_upload_id_fkey FOREIGN KEY (stems_upload_id) REFERENCES uploads(id),
  CONSTRAINT beat_productions_bpm_source_check CHECK ((bpm_source = ANY (ARRAY['producer'::text, 'analysis'::text]))),
  CONSTRAINT beat_productions_key_source_check CHECK ((key_source = ANY (ARRAY['producer'::text, 'analysis'::text]))),
  CONSTRAINT beat_productions_stage_check CHECK ((stage = ANY (ARRAY['draft'::text, 'processing'::text, 'released'::text])))
);
CREATE INDEX beat_productions_audio ON public.beat_productions USING btree (audio_upload_id);
CREATE INDEX beat_productions_cover ON public.beat_productions USING btree (cover_upload_id);
CREATE INDEX beat_productions_publish_at ON public.beat_productions USING btree (publish_at) WHERE (publish_at IS NOT NULL);
CREATE INDEX beat_productions_stems ON public.beat_productions USING btree (stems_upload_id);

CREATE TABLE beat_reports (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  beat_id bigint NOT NULL,
  reason text NOT NULL,
  details text,
  email text,
  state text DEFAULT 'open'::text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  noticed_at timestamp with time zone,
  counter_until timestamp with time zone,
  counter text,
  countered_at timestamp with time zone,
  decide_until timestamp with time zone,
  decision text,
  decided_at timestamp with time zone,
  language text,
  CONSTRAINT beat_reports_pkey PRIMARY KEY (id),
  CONSTRAINT beat_reports_beat_id_fkey FOREIGN KEY (beat_id) REFERENCES beats(id) ON DELETE CASCADE,
  CONSTRAINT beat_reports_check CHECK (((noticed_at IS NULL) = (counter_until IS NULL))),
  CONSTRAINT beat_reports_check1 CHECK (((countered_at IS NULL) = (decide_until IS NULL))),
  CONSTRAINT beat_reports_check2 CHECK (((state = ANY (ARRAY['upheld'::text, 'rejected'::text])) = (decided_at IS NOT NULL))),
  CONSTRAINT beat_reports_check3 CHECK (((decided_at IS NULL) = (decision IS NULL))),
  CONSTRAINT beat_reports_check4 CHECK (((state <> ALL (ARRAY['notice_sent'::text, 'upheld'::text])) OR (noticed_at IS NOT NULL))),
  CONSTRAINT beat_reports_check5 CHECK (((state <> 'countered'::text) OR (countered_at IS NOT NULL))),
  CONSTRAINT beat_reports_counter_check CHECK (((length(counter) >= 1) AND (length(counter) <= 2000))),
  CONSTRAINT beat_reports_details_check CHECK (((length(details) >= 1) AND (length(details) <= 2000))),
  CONSTRAINT beat_reports_language_check CHECK ((language ~ '^[a-z]{2,3}$'::text)),
  CONSTRAINT beat_reports_reason_check CHECK ((reason = ANY (ARRAY['copyright'::text, 'sample'::text, 'impersonation'::text, 'offensive'::text, 'other'::text]))),
  CONSTRAINT beat_reports_state_check CHECK ((state = ANY (ARRAY['open'::text, 'notice_sent'::text, 'countered'::text, 'upheld'::text, 'rejected'::text])))
);
CREATE INDEX beat_reports_beat ON public.beat_reports USING btree (beat_id, id);
CREATE INDEX beat_reports_decided ON public.beat_reports USING btree (decided_at) WHERE (decided_at IS NOT NULL);
CREATE INDEX beat_reports_email ON public.beat_reports USING btree (email);
CREATE INDEX beat_reports_undecided ON public.beat_reports USING btree (id) WHERE (decided_at IS NULL);

CREATE TABLE beat_shares (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  beat_id bigint NOT NULL,
  user_id bigint,
  email text,
  basis_points integer NOT NULL,
  invited_at timestamp with time zone NOT NULL,
  accepted_at timestamp with time zone,
  declined_at timestamp with time zone,
  CONSTRAINT beat_shares_beat_id_email_key UNIQUE (beat_id, email),
  CONSTRAINT beat_shares_beat_id_user_id_key UNIQUE (beat_id, user_id),
  CONSTRAINT beat_shares_pkey PRIMARY KEY (id),
  CONSTRAINT beat_shares_beat_id_fkey FOREIGN KEY (beat_id) REFERENCES beats(id) ON DELETE CASCADE,
  CONSTRAINT beat_shares_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT beat_shares_basis_points_check CHECK (((basis_points >= 1) AND (basis_points <= 9999))),
  CONSTRAINT beat_shares_check CHECK (((user_id IS NOT NULL) OR (email IS NOT NULL))),
  CONSTRAINT beat_shares_check1 CHECK (((accepted_at IS NULL) OR ((user_id IS NOT NULL) AND (declined_at IS NULL))))
);
CREATE INDEX beat_shares_email ON public.beat_shares USING btree (email);
CREATE INDEX beat_shares_user_id ON public.beat_shares USING btree (user_id);

CREATE TABLE beats (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  genre_id bigint NOT NULL,
  title text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  tags text[] DEFAULT '{}'::text[] NOT NULL,
  tempo double precision NOT NULL,
  key text DEFAULT ''::text NOT NULL,
  key_code smallint DEFAULT 24 NOT NULL,
  duration_seconds integer DEFAULT 0 NOT NULL,
  price_cents integer NOT NULL,
  premium_price_cents integer NOT NULL,
  unlimited_price_cents integer NOT NULL,
  exclusive_price_cents integer NOT NULL,
  is_listed boolean DEFAULT true NOT NULL,
  audio_url text,
  cover_image text,
  play_count bigint DEFAULT 0 NOT NULL,
  download_count bigint DEFAULT 0 NOT NULL,
  popularity smallint DEFAULT 0 NOT NULL,
  popularity_key bigint GENERATED ALWAYS AS (((play_count * 128) + popularity)) STORED NOT NULL,
  source text,
  external_id text,
  created_at timestamp with time zone DEFAULT date_trunc('second'::text, now()) NOT NULL,
  updated_at timestamp with time zone DEFAULT date_trunc('second'::text, now()) NOT NULL,
  exclusive_state text DEFAULT 'available'::text NOT NULL,
  exclusive_order_id bigint,
  exclusive_held_until timestamp with time zone,
  is_suspended boolean DEFAULT false NOT NULL,
  unsold_licenses text[] DEFAULT '{}'::text[] NOT NULL,
  license_limits jsonb DEFAULT '{}'::jsonb NOT NULL,
  has_free_download boolean DEFAULT false NOT NULL,
  is_taken_down boolean DEFAULT false NOT NULL,
  CONSTRAINT beats_source_external_id_key UNIQUE (source, external_id),
  CONSTRAINT beats_pkey PRIMARY KEY (id),
  CONSTRAINT beats_check CHECK (((exclusive_state = 'available'::text) = (exclusive_order_id IS NULL))),
  CONSTRAINT beats_check1 CHECK (((exclusive_state = 'held'::text) = (exclusive_held_until IS NOT NULL))),
  CONSTRAINT beats_check2 CHECK (((exclusive_state <> 'sold'::text) OR (NOT is_listed))),
  CONSTRAINT beats_check3 CHECK ((NOT (is_taken_down AND is_listed))),
  CONSTRAINT beats_download_count_check CHECK ((download_count >= 0)),
  CONSTRAINT beats_duration_seconds_check CHECK ((duration_seconds >= 0)),
  CONSTRAINT beats_exclusive_price_cents_check CHECK ((exclusive_price_cents >= 0)),
  CONSTRAINT beats_exclusive_state_check CHECK ((exclusive_state = ANY (ARRAY['available'::text, 'held'::text, 'sold'::text]))),
  CONSTRAINT beats_key_code_check CHECK (((key_code >= 0) AND (key_code <= 24))),
  CONSTRAINT beats_license_limits_check CHECK ((jsonb_typeof(license_limits) = 'object'::text)),
  CONSTRAINT beats_play_count_check CHECK ((play_count >= 0)),
  CONSTRAINT beats_popularity_check CHECK (((popularity >= 0) AND (popularity <= 100))),
  CONSTRAINT beats_premium_price_cents_check CHECK ((premium_price_cents >= 0)),
  CONSTRAINT beats_price_cents_check CHECK ((price_cents >= 0)),
  CONSTRAINT beats_tempo_check CHECK (((tempo >= (0)::double precision) AND (tempo < (10000)::double precision) AND ((tempo > (0)::double precision) OR (NOT is_listed)))),
  CONSTRAINT beats_title_check CHECK ((title <> ''::text)),
  CONSTRAINT beats_unlimited_price_cents_check CHECK ((unlimited_price_cents >= 0)),
  CONSTRAINT beats_unsold_licenses_check CHECK (((unsold_licenses <@ ARRAY['basic'::text, 'premium'::text, 'unlimited'::text, 'exclusive'::text]) AND (cardinality(unsold_licenses) < 4)))
);
CREATE INDEX beats_exclusive_held ON public.beats USING btree (exclusive_held_until) WHERE (exclusive_state = 'held'::text);
CREATE INDEX beats_title_parts ON public.beats USING gin (title gin_trgm_ops);
CREATE INDEX beats_user ON public.beats USING btree (user_id);

CREATE TABLE billing_details (
  user_id bigint NOT NULL,
  name text NOT NULL,
  address text[] NOT NULL,
  country text,
  vat_id text,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT billing_details_pkey PRIMARY KEY (user_id),
  CONSTRAINT billing_details_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT billing_details_address_check CHECK ((cardinality(address) <= 3)),
  CONSTRAINT billing_details_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  CONSTRAINT billing_details_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  CONSTRAINT billing_details_vat_id_check CHECK (((length(vat_id) >= 2) AND (length(vat_id) <= 20)))
);

CREATE TABLE catalogue_changes (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  position bigint,
  subject text NOT NULL,
  type text NOT NULL,
  ids bigint[] NOT NULL,
  count integer GENERATED ALWAYS AS (cardinality(ids)) STORED NOT NULL,
  changed_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT catalogue_changes_position_key UNIQUE ("position"),
  CONSTRAINT catalogue_changes_pkey PRIMARY KEY (id),
  CONSTRAINT catalogue_changes_subject_check CHECK ((subject = ANY (ARRAY['beats'::text, 'users'::text, 'genres'::text]))),
  CONSTRAINT catalogue_changes_type_check CHECK ((type = ANY (ARRAY['published'::text, 'updated'::text, 'sold'::text, 'withdrawn'::text, 'renamed'::text])))
);

CREATE TABLE checkout_items (
  checkout_id bigint NOT NULL,
  position smallint NOT NULL,
  beat_id bigint NOT NULL,
  license_type text NOT NULL,
  amount_cents integer NOT NULL,
  title text NOT NULL,
  producer_name text NOT NULL,
  order_id bigint NOT NULL,
  license_limits jsonb,
  discount_cents integer DEFAULT 0 NOT NULL,
  upgrades_license uuid,
  credit_cents bigint DEFAULT 0 NOT NULL,
  CONSTRAINT checkout_items_checkout_id_beat_id_key UNIQUE (checkout_id, beat_id),
  CONSTRAINT checkout_items_order_id_key UNIQUE (order_id),
  CONSTRAINT checkout_items_pkey PRIMARY KEY (checkout_id, "position"),
  CONSTRAINT checkout_items_beat_id_fkey FOREIGN KEY (beat_id) REFERENCES beats(id),
  CONSTRAINT checkout_items_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES checkouts(id),
  CONSTRAINT checkout_items_upgrades_license_fkey FOREIGN KEY (upgrades_license) REFERENCES licenses(id),
  CONSTRAINT checkout_items_amount_cents_check CHECK ((amount_cents >= 0)),
  CONSTRAINT checkout_items_credit_cents_check CHECK ((credit_cents >= 0)),
  CONSTRAINT checkout_items_discount_cents_check CHECK ((discount_cents >= 0)),
  CONSTRAINT checkout_items_license_type_check CHECK ((license_type = ANY (ARRAY['basic'::text, 'premium'::text, 'unlimited'::text, 'exclusive'::text])))
);
CREATE INDEX checkout_items_beat_id ON public.checkout_items USING btree (beat_id);

CREATE TABLE checkouts (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint,
  email text,
  buyer_name text,
  payment_key text NOT NULL,
  status text DEFAULT 'open'::text NOT NULL,
  amount_cents integer NOT NULL,
  currency text NOT NULL,
  payment_provider text NOT NULL,
  page_reference text,
  url text,
  success_url text,
  cancel_url text,
  terms_version text NOT NULL,
  failure_reason text,
  idempotency_run uuid,
  request_id text,
  trace_context text,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  asked_at timestamp with time zone,
  finished_at timestamp with time zone,
  time_zone text,
  billing jsonb,
  language text,
  CONSTRAINT checkouts_idempotency_run_key UNIQUE (idempotency_run),
  CONSTRAINT checkouts_payment_key_key UNIQUE (payment_key),
  CONSTRAINT checkouts_pkey PRIMARY KEY (id),
  CONSTRAINT checkouts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT checkouts_amount_cents_check CHECK ((amount_cents >= 0)),
  CONSTRAINT checkouts_check CHECK (((status = 'open'::text) = (finished_at IS NULL))),
  CONSTRAINT checkouts_check1 CHECK (((status = 'cancelled'::text) = (failure_reason IS NOT NULL))),
  CONSTRAINT checkouts_check2 CHECK (((user_id IS NOT NULL) OR (email IS NOT NULL))),
  CONSTRAINT checkouts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT checkouts_language_check CHECK ((language ~ '^[a-z]{2,3}$'::text)),
  CONSTRAINT checkouts_status_check CHECK ((status = ANY (ARRAY['open'::text, 'completed'::text, 'expired'::text, 'cancelled'::text])))
);
CREATE INDEX checkouts_email ON public.checkouts USING btree (email);
CREATE INDEX checkouts_open ON public.checkouts USING btree (id) WHERE (status = 'open'::text);
CREATE INDEX checkouts_user_id ON public.checkouts USING btree (user_id);

CREATE TABLE device_logins (
  code_sha256 bytea NOT NULL,
  user_code text NOT NULL,
  name text NOT NULL,
  permissions text[] NOT NULL,
  client_address text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  polled_at timestamp with time zone,
  is_denied boolean DEFAULT false NOT NULL,
  api_key_id bigint,
  CONSTRAINT device_logins_user_code_key UNIQUE (user_code),
  CONSTRAINT device_logins_pkey PRIMARY KEY (code_sha256),
  CONSTRAINT device_logins_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE
);
CREATE INDEX device_logins_expired ON public.device_logins USING btree (expires_at);
CREATE INDEX device_logins_of_key ON public.device_logins USING btree (api_key_id) WHERE (api_key_id IS NOT NULL);

CREATE TABLE discount_uses (
  checkout_id bigint NOT NULL,
  discount_id bigint NOT NULL,
  amount_cents integer NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT discount_uses_pkey PRIMARY KEY (checkout_id, discount_id),
  CONSTRAINT discount_uses_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES checkouts(id),
  CONSTRAINT discount_uses_discount_id_fkey FOREIGN KEY (discount_id) REFERENCES discounts(id),
  CONSTRAINT discount_uses_amount_cents_check CHECK ((amount_cents > 0))
);
CREATE INDEX discount_uses_discount ON public.discount_uses USING btree (discount_id) WHERE (used_at IS NOT NULL);

CREATE TABLE discounts (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  name text NOT NULL,
  code text,
  kind text NOT NULL,
  percent smallint,
  amount_cents integer,
  pack_size smallint,
  pack_paid smallint,
  valid_from timestamp with time zone,
  valid_until timestamp with time zone,
  max_uses integer,
  max_uses_per_buyer integer,
  beat_ids bigint[],
  license_types text[],
  uses_count integer DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT discounts_pkey PRIMARY KEY (id),
  CONSTRAINT discounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT discounts_amount_cents_check CHECK ((amount_cents > 0)),
  CONSTRAINT discounts_beat_ids_check CHECK (((cardinality(beat_ids) >= 1) AND (cardinality(beat_ids) <= 200))),
  CONSTRAINT discounts_check CHECK (((pack_paid >= 1) AND (pack_paid <= (pack_size - 1)))),
  CONSTRAINT discounts_check1 CHECK ((valid_until > valid_from)),
  CONSTRAINT discounts_check2 CHECK (((uses_count >= 0) AND (uses_count <= COALESCE(max_uses, uses_count)))),
  CONSTRAINT discounts_check3 CHECK (((kind = 'percent'::text) = (percent IS NOT NULL))),
  CONSTRAINT discounts_check4 CHECK (((kind = 'amount'::text) = (amount_cents IS NOT NULL))),
  CONSTRAINT discounts_check5 CHECK (((kind = 'pack'::text) = ((pack_size IS NOT NULL) AND (pack_paid IS NOT NULL)))),
  CONSTRAINT discounts_code_check CHECK ((code ~ '^[A-Z0-9][A-Z0-9_-]{2,31}$'::text)),
  CONSTRAINT discounts_kind_check CHECK ((kind = ANY (ARRAY['percent'::text, 'amount'::text, 'pack'::text, 'ownership'::text]))),
  CONSTRAINT discounts_license_types_check CHECK (((license_types <@ ARRAY['basic'::text, 'premium'::text, 'unlimited'::text, 'exclusive'::text]) AND (cardinality(license_types) > 0))),
  CONSTRAINT discounts_max_uses_check CHECK ((max_uses > 0)),
  CONSTRAINT discounts_max_uses_per_buyer_check CHECK ((max_uses_per_buyer > 0)),
  CONSTRAINT discounts_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  CONSTRAINT discounts_pack_size_check CHECK (((pack_size >= 2) AND (pack_size <= 10))),
  CONSTRAINT discounts_percent_check CHECK (((percent >= 1) AND (percent <= 100)))
);
CREATE INDEX discounts_code ON public.discounts USING btree (code) WHERE (code IS NOT NULL);
CREATE UNIQUE INDEX discounts_own_code ON public.discounts USING btree (user_id, code) WHERE (ended_at IS NULL);
CREATE INDEX discounts_user_newest ON public.discounts USING btree (user_id, id);

CREATE TABLE disputes (
  reference text NOT NULL,
  order_id bigint NOT NULL,
  amount_cents integer NOT NULL,
  reason text NOT NULL,
  status text NOT NULL,
  is_withdrawn boolean DEFAULT false NOT NULL,
  opened_at timestamp with time zone NOT NULL,
  closed_at timestamp with time zone,
  CONSTRAINT disputes_pkey PRIMARY KEY (reference),
  CONSTRAINT disputes_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT disputes_amount_cents_check CHECK ((amount_cents >= 0)),
  CONSTRAINT disputes_status_check CHECK ((status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])))
);
CREATE INDEX disputes_order ON public.disputes USING btree (order_id);

CREATE TABLE event_batches (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  event_ids text[] NOT NULL,
  CONSTRAINT event_batches_pkey PRIMARY KEY (id)
);

CREATE TABLE event_feed_entries (
  feed bigint NOT NULL,
  type text NOT NULL,
  position bigint NOT NULL,
  event_id text NOT NULL,
  CONSTRAINT event_feed_entries_pkey PRIMARY KEY (feed, type, "position")
);
CREATE INDEX event_feed_entries_event ON public.event_feed_entries USING btree (event_id);

CREATE TABLE event_feeds (
  feed bigint NOT NULL,
  type text NOT NULL,
  horizon bigint DEFAULT 0 NOT NULL,
  CONSTRAINT event_feeds_pkey PRIMARY KEY (feed, type)
);

CREATE TABLE events (
  id text NOT NULL,
  type text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  payload text NOT NULL,
  audience bigint[],
  request_id text,
  trace_context text,
  CONSTRAINT events_pkey PRIMARY KEY (id)
);
CREATE INDEX events_created ON public.events USING btree (created_at, id);
CREATE INDEX events_request ON public.events USING btree (request_id) WHERE (request_id IS NOT NULL);

CREATE TABLE export_takes (
  api_key_id bigint NOT NULL,
  taken_at timestamp with time zone NOT NULL,
  tag text,
  CONSTRAINT export_takes_pkey PRIMARY KEY (api_key_id),
  CONSTRAINT export_takes_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE
);

CREATE TABLE favorites (
  user_id bigint NOT NULL,
  beat_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT favorites_pkey PRIMARY KEY (user_id, beat_id),
  CONSTRAINT favorites_beat_id_fkey FOREIGN KEY (beat_id) REFERENCES beats(id) ON DELETE CASCADE,
  CONSTRAINT favorites_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX favorites_beat ON public.favorites USING btree (beat_id);
CREATE INDEX favorites_newest ON public.favorites USING btree (user_id, created_at, beat_id);

CREATE TABLE follows (
  user_id bigint NOT NULL,
  producer_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT follows_pkey PRIMARY KEY (user_id, producer_id),
  CONSTRAINT follows_producer_id_fkey FOREIGN KEY (producer_id) REFERENCES users(id),
  CONSTRAINT follows_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX follows_newest ON public.follows USING btree (user_id, created_at, producer_id);
CREATE INDEX follows_producer ON public.follows USING btree (producer_id);

CREATE TABLE free_downloads (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  token text NOT NULL,
  beat_id bigint NOT NULL,
  producer_id bigint NOT NULL,
  email text NOT NULL,
  user_id bigint,
  consent text NOT NULL,
  requested_at timestamp with time zone NOT NULL,
  confirmed_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  CONSTRAINT free_downloads_beat_id_email_key UNIQUE (beat_id, email),
  CONSTRAINT free_downloads_token_key UNIQUE (token),
  CONSTRAINT free_downloads_pkey PRIMARY KEY (id),
  CONSTRAINT free_downloads_beat_id_fkey FOREIGN KEY (beat_id) REFERENCES beats(id),
  CONSTRAINT free_downloads_producer_id_fkey FOREIGN KEY (producer_id) REFERENCES users(id),
  CONSTRAINT free_downloads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX free_downloads_email ON public.free_downloads USING btree (email);
CREATE INDEX free_downloads_producer ON public.free_downloads USING btree (producer_id, id);
CREATE INDEX free_downloads_user ON public.free_downloads USING btree (user_id);

CREATE TABLE genres (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  beats_count bigint DEFAULT 0 NOT NULL,
  CONSTRAINT genres_slug_key UNIQUE (slug),
  CONSTRAINT genres_pkey PRIMARY KEY (id),
  CONSTRAINT genres_beats_count_check CHECK ((beats_count >= 0))
);
CREATE UNIQUE INDEX genres_name ON public.genres USING btree (lower(name));

CREATE TABLE idempotency_keys (
  user_id bigint NOT NULL,
  key text NOT NULL,
  run uuid NOT NULL,
  fingerprint bytea NOT NULL,
  leased_until timestamp with time zone NOT NULL,
  answer text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key),
  CONSTRAINT idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX idempotency_keys_created ON public.idempotency_keys USING btree (created_at);

CREATE TABLE import_runs (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  state text NOT NULL,
  file text NOT NULL,
  mapping text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  progressed_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  read_rows bigint DEFAULT 0 NOT NULL,
  created bigint DEFAULT 0 NOT NULL,
  updated bigint DEFAULT 0 NOT NULL,
  unchanged bigint DEFAULT 0 NOT NULL,
  rejected bigint DEFAULT 0 NOT NULL,
  read_bytes bigint DEFAULT 0 NOT NULL,
  size_bytes bigint,
  reasons jsonb DEFAULT '[]'::jsonb NOT NULL,
  rejects text DEFAULT ''::text NOT NULL,
  error text,
  CONSTRAINT import_runs_pkey PRIMARY KEY (id),
  CONSTRAINT import_runs_state_check CHECK ((state = ANY (ARRAY['running'::text, 'finished'::text, 'failed'::text, 'interrupted'::text])))
);

CREATE TABLE invoice_numbers (
  kind text NOT NULL,
  year integer NOT NULL,
  last integer NOT NULL,
  CONSTRAINT invoice_numbers_pkey PRIMARY KEY (kind, year),
  CONSTRAINT invoice_numbers_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))),
  CONSTRAINT invoice_numbers_last_check CHECK ((last > 0))
);

CREATE TABLE invoices (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text NOT NULL,
  year integer NOT NULL,
  number integer NOT NULL,
  order_id bigint NOT NULL,
  amount_cents bigint NOT NULL,
  tax_cents bigint NOT NULL,
  currency text NOT NULL,
  corrects_id bigint,
  facts jsonb NOT NULL,
  issued_at timestamp with time zone NOT NULL,
  CONSTRAINT invoices_kind_year_number_key UNIQUE (kind, year, number),
  CONSTRAINT invoices_pkey PRIMARY KEY (id),
  CONSTRAINT invoices_corrects_id_fkey FOREIGN KEY (corrects_id) REFERENCES invoices(id),
  CONSTRAINT invoices_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT invoices_amount_cents_check CHECK ((amount_cents > 0)),
  CONSTRAINT invoices_check CHECK (((tax_cents >= 0) AND (tax_cents <= amount_cents))),
  CONSTRAINT invoices_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT invoices_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))),
  CONSTRAINT invoices_number_check CHECK ((number > 0))
);
CREATE UNIQUE INDEX invoices_of_sales ON public.invoices USING btree (order_id) WHERE (corrects_id IS NULL);
CREATE INDEX invoices_order_id ON public.invoices USING btree (order_id, id);

CREATE TABLE ledger_comparisons (
  provider text NOT NULL,
  day timestamp with time zone NOT NULL,
  differences integer NOT NULL,
  compared_at timestamp with time zone NOT NULL,
  CONSTRAINT ledger_comparisons_pkey PRIMARY KEY (provider, day),
  CONSTRAINT ledger_comparisons_differences_check CHECK ((differences >= 0))
);

CREATE TABLE ledger_entries (
  transaction_id bigint NOT NULL,
  account text NOT NULL,
  amount_cents bigint NOT NULL,
  currency text NOT NULL,
  CONSTRAINT ledger_entries_pkey PRIMARY KEY (transaction_id, account, currency),
  CONSTRAINT ledger_entries_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES ledger_transactions(id),
  CONSTRAINT ledger_entries_amount_cents_check CHECK ((amount_cents <> 0)),
  CONSTRAINT ledger_entries_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text))
);
CREATE INDEX ledger_entries_balance ON public.ledger_entries USING btree (account, currency) INCLUDE (amount_cents);

CREATE TABLE ledger_transactions (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text NOT NULL,
  source text NOT NULL,
  order_id bigint,
  at timestamp with time zone NOT NULL,
  CONSTRAINT ledger_transactions_source_kind_key UNIQUE (source, kind),
  CONSTRAINT ledger_transactions_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_transactions_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);
CREATE INDEX ledger_transactions_at ON public.ledger_transactions USING btree (at, id);
CREATE INDEX ledger_transactions_order ON public.ledger_transactions USING btree (order_id);

CREATE TABLE libraries (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  email text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  links_ended_at timestamp with time zone,
  CONSTRAINT libraries_email_key UNIQUE (email),
  CONSTRAINT libraries_pkey PRIMARY KEY (id)
);

CREATE TABLE license_defaults (
  user_id bigint NOT NULL,
  unsold_licenses text[] NOT NULL,
  license_limits jsonb NOT NULL,
  has_free_download boolean NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  price_cents integer,
  premium_price_cents integer,
  unlimited_price_cents integer,
  exclusive_price_cents integer,
  genre_id bigint,
  tags text[] DEFAULT '{}'::text[] NOT NULL,
  preview_tag text DEFAULT 'default'::text NOT NULL,
  CONSTRAINT license_defaults_pkey PRIMARY KEY (user_id),
  CONSTRAINT license_defaults_genre_id_fkey FOREIGN KEY (genre_id) REFERENCES genres(id) ON DELETE SET NULL,
  CONSTRAINT license_defaults_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT license_defaults_exclusive_price_cents_check CHECK ((exclusive_price_cents > 0)),
  CONSTRAINT license_defaults_premium_price_cents_check CHECK ((premium_price_cents >= 0)),
  CONSTRAINT license_defaults_price_cents_check CHECK ((price_cents >= 0)),
  CONSTRAINT license_defaults_unlimited_price_cents_check CHECK ((unlimited_price_cents > 0))
);

CREATE TABLE license_log (
  index bigint NOT NULL,
  kind text NOT NULL,
  beat_id bigint,
  order_id bigint,
  at timestamp with time zone NOT NULL,
  salt bytea NOT NULL,
  entry bytea,
  CONSTRAINT license_log_pkey PRIMARY KEY (index),
  CONSTRAINT license_log_kind_check CHECK ((kind = ANY (ARRAY['sold'::text, 'refunded'::text, 'reinstated'::text, 'returned'::text, 'taken_down'::text, 'restored'::text, 'lost'::text])))
);
CREATE INDEX license_log_order ON public.license_log USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX license_log_sold ON public.license_log USING btree (beat_id) WHERE (kind = 'sold'::text);

CREATE TABLE license_log_batches (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  order_ids bigint[] NOT NULL,
  CONSTRAINT license_log_batches_pkey PRIMARY KEY (id)
);

CREATE TABLE license_log_published (
  origin text NOT NULL,
  size bigint NOT NULL
);
CREATE UNIQUE INDEX license_log_published_once ON public.license_log_published USING btree ((true));

CREATE TABLE license_terms (
  version text NOT NULL,
  license_type text NOT NULL,
  title text NOT NULL,
  text text NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  template text,
  limits jsonb,
  clauses jsonb,
  CONSTRAINT license_terms_pkey PRIMARY KEY (version, license_type)
);

CREATE TABLE license_usage (
  license_id uuid NOT NULL,
  use text NOT NULL,
  period text NOT NULL,
  source text NOT NULL,
  quantity bigint NOT NULL,
  reported_at timestamp with time zone NOT NULL,
  CONSTRAINT license_usage_pkey PRIMARY KEY (license_id, use, period, source),
  CONSTRAINT license_usage_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id),
  CONSTRAINT license_usage_quantity_check CHECK ((quantity >= 0)),
  CONSTRAINT license_usage_use_check CHECK ((use = ANY (ARRAY['streams'::text, 'copies'::text, 'videos'::text])))
);

CREATE TABLE license_usage_levels (
  license_id uuid NOT NULL,
  use text NOT NULL,
  percent smallint NOT NULL,
  reached_at timestamp with time zone NOT NULL,
  stands boolean NOT NULL,
  CONSTRAINT license_usage_levels_pkey PRIMARY KEY (license_id, use, percent),
  CONSTRAINT license_usage_levels_license_id_fkey FOREIGN KEY (license_id) REFERENCES licenses(id)
);

CREATE TABLE licenses (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  order_id bigint NOT NULL,
  jws text NOT NULL,
  pdf_sha256 text NOT NULL,
  pdf_bytes bigint NOT NULL,
  issued_at timestamp with time zone NOT NULL,
  status_index bigint DEFAULT nextval('license_status_index'::regclass) NOT NULL,
  CONSTRAINT licenses_order_id_key UNIQUE (order_id),
  CONSTRAINT licenses_pkey PRIMARY KEY (id),
  CONSTRAINT licenses_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT licenses_pdf_sha256_fkey FOREIGN KEY (pdf_sha256) REFERENCES stored_objects(sha256),
  CONSTRAINT licenses_pdf_bytes_check CHECK ((pdf_bytes >= 0))
);
CREATE INDEX licenses_pdf ON public.licenses USING btree (pdf_sha256);
CREATE UNIQUE INDEX licenses_status_index ON public.licenses USING btree (status_index);

CREATE TABLE limit_requests (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  person_id bigint NOT NULL,
  api_key_id bigint NOT NULL,
  plan text NOT NULL,
  reason text,
  state text DEFAULT 'open'::text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  response text,
  answered_at timestamp with time zone,
  CONSTRAINT limit_requests_pkey PRIMARY KEY (id),
  CONSTRAINT limit_requests_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id),
  CONSTRAINT limit_requests_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id),
  CONSTRAINT limit_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT limit_requests_check CHECK (((state = 'open'::text) = (answered_at IS NULL))),
  CONSTRAINT limit_requests_check1 CHECK (((state = 'refused'::text) = (response IS NOT NULL))),
  CONSTRAINT limit_requests_plan_check CHECK ((plan = ANY (ARRAY['plus'::text, 'partner'::text]))),
  CONSTRAINT limit_requests_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 2000))),
  CONSTRAINT limit_requests_response_check CHECK (((length(response) >= 1) AND (length(response) <= 2000))),
  CONSTRAINT limit_requests_state_check CHECK ((state = ANY (ARRAY['open'::text, 'granted'::text, 'refused'::text])))
);
CREATE INDEX limit_requests_created_at ON public.limit_requests USING btree (created_at);
CREATE INDEX limit_requests_key ON public.limit_requests USING btree (api_key_id, id);
CREATE UNIQUE INDEX limit_requests_open ON public.limit_requests USING btree (api_key_id) WHERE (state = 'open'::text);
CREATE INDEX limit_requests_person ON public.limit_requests USING btree (person_id);
CREATE INDEX limit_requests_user ON public.limit_requests USING btree (user_id);

CREATE TABLE media_jobs (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  user_id bigint,
  priority smallint DEFAULT 0 NOT NULL,
  turn bigint DEFAULT 0 NOT NULL,
  revision integer DEFAULT 1 NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  run_at timestamp with time zone NOT NULL,
  lease text,
  leased_until timestamp with time zone,
  last_error text,
  CONSTRAINT media_jobs_kind_subject_key UNIQUE (kind, subject),
  CONSTRAINT media_jobs_pkey PRIMARY KEY (id)
);
CREATE INDEX media_jobs_turn ON public.media_jobs USING btree (priority, turn, id);

CREATE TABLE object_deletions (
  sha256 text NOT NULL,
  leased_until timestamp with time zone NOT NULL,
  CONSTRAINT object_deletions_pkey PRIMARY KEY (sha256)
);

CREATE TABLE order_counts (
  user_id bigint NOT NULL,
  status text NOT NULL,
  count bigint NOT NULL,
  CONSTRAINT order_counts_pkey PRIMARY KEY (user_id, status),
  CONSTRAINT order_counts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT order_counts_count_check CHECK ((count > 0)),
  CONSTRAINT order_counts_status_check CHECK ((status = ANY (ARRAY['completed'::text, 'failed'::text])))
);

CREATE TABLE order_downloads (
  order_id bigint NOT NULL,
  kind text NOT NULL,
  downloaded_at timestamp with time zone NOT NULL,
  CONSTRAINT order_downloads_pkey PRIMARY KEY (order_id, kind),
  CONSTRAINT order_downloads_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

CREATE TABLE order_messages (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  order_id bigint NOT NULL,
  author text NOT NULL,
  text text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT order_messages_pkey PRIMARY KEY (id),
  CONSTRAINT order_messages_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT order_messages_author_check CHECK ((author = ANY (ARRAY['buyer'::text, 'producer'::text]))),
  CONSTRAINT order_messages_text_check CHECK (((length(text) >= 1) AND (length(text) <= 2000)))
);
CREATE INDEX order_messages_created_at ON public.order_messages USING btree (created_at);
CREATE INDEX order_messages_order_id ON public.order_messages USING btree (order_id, id);

CREATE TABLE order_shares (
  order_id bigint NOT NULL,
  user_id bigint NOT NULL,
  basis_points integer NOT NULL,
  CONSTRAINT order_shares_pkey PRIMARY KEY (order_id, user_id),
  CONSTRAINT order_shares_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT order_shares_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT order_shares_basis_points_check CHECK (((basis_points >= 1) AND (basis_points <= 10000)))
);
CREATE INDEX order_shares_user_id ON public.order_shares USING btree (user_id, order_id);

CREATE TABLE orders (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  beat_id bigint NOT NULL,
  title text NOT NULL,
  producer_id bigint NOT NULL,
  producer_name text NOT NULL,
  license_type text NOT NULL,
  amount_cents integer NOT NULL,
  currency text NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  failure_reason text,
  payment_method text NOT NULL,
  payment_provider text NOT NULL,
  payment_key text NOT NULL,
  payment_reference text,
  refund text,
  idempotency_run uuid,
  tallied boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  request_id text,
  buyer_name text,
  master_sha256 text,
  stems_sha256 text,
  terms_version text,
  client_secret text,
  awaits_buyer boolean DEFAULT false NOT NULL,
  refunded_cents integer DEFAULT 0 NOT NULL,
  refunded_at timestamp with time zone,
  trace_context text,
  is_master_lossy boolean DEFAULT false NOT NULL,
  failed_at timestamp with time zone,
  checkout_key text,
  license_limits jsonb,
  api_key_id bigint,
  commission_basis_points integer DEFAULT 0 NOT NULL,
  upgrades_license uuid,
  list_prices bigint[],
  CONSTRAINT orders_idempotency_run_key UNIQUE (idempotency_run),
  CONSTRAINT orders_payment_key_key UNIQUE (payment_key),
  CONSTRAINT orders_pkey PRIMARY KEY (id),
  CONSTRAINT orders_beat_id_fkey FOREIGN KEY (beat_id) REFERENCES beats(id),
  CONSTRAINT orders_checkout_key_fkey FOREIGN KEY (checkout_key) REFERENCES checkouts(payment_key),
  CONSTRAINT orders_master_sha256_fkey FOREIGN KEY (master_sha256) REFERENCES stored_objects(sha256),
  CONSTRAINT orders_producer_id_fkey FOREIGN KEY (producer_id) REFERENCES users(id),
  CONSTRAINT orders_stems_sha256_fkey FOREIGN KEY (stems_sha256) REFERENCES stored_objects(sha256),
  CONSTRAINT orders_upgrades_license_fkey FOREIGN KEY (upgrades_license) REFERENCES licenses(id),
  CONSTRAINT orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT orders_amount_cents_check CHECK ((amount_cents >= 0)),
  CONSTRAINT orders_check CHECK (((status = 'failed'::text) = (failure_reason IS NOT NULL))),
  CONSTRAINT orders_check1 CHECK (((refund IS NULL) OR (status = 'failed'::text))),
  CONSTRAINT orders_check2 CHECK (((NOT tallied) OR (status <> 'pending'::text))),
  CONSTRAINT orders_check3 CHECK (((status = 'completed'::text) = (completed_at IS NOT NULL))),
  CONSTRAINT orders_commission_basis_points_check CHECK (((commission_basis_points >= 0) AND (commission_basis_points <= 10000))),
  CONSTRAINT orders_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT orders_license_type_check CHECK ((license_type = ANY (ARRAY['basic'::text, 'premium'::text, 'unlimited'::text, 'exclusive'::text]))),
  CONSTRAINT orders_list_prices_check CHECK ((cardinality(list_prices) = 4)),
  CONSTRAINT orders_refund_check CHECK ((refund = ANY (ARRAY['due'::text, 'done'::text]))),
  CONSTRAINT orders_refunded_check CHECK ((((refunded_cents >= 0) AND (refunded_cents <= amount_cents)) AND ((refunded_cents = 0) OR (refunded_at IS NOT NULL)))),
  CONSTRAINT orders_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX orders_beat_sales ON public.orders USING btree (beat_id, completed_at, id) INCLUDE (producer_id);
CREATE INDEX orders_checkout_key ON public.orders USING btree (checkout_key) WHERE (checkout_key IS NOT NULL);
CREATE INDEX orders_master ON public.orders USING btree (master_sha256) WHERE (master_sha256 IS NOT NULL);
CREATE INDEX orders_of_key ON public.orders USING btree (api_key_id, created_at) WHERE (api_key_id IS NOT NULL);
CREATE INDEX orders_payment_reference ON public.orders USING btree (payment_reference) WHERE (payment_reference IS NOT NULL);
CREATE INDEX orders_pending ON public.orders USING btree (id) WHERE (status = 'pending'::text);
CREATE INDEX orders_producer_name_parts ON public.orders USING gin (producer_name gin_trgm_ops);
CREATE INDEX orders_producer_sales ON public.orders USING btree (producer_id, completed_at, id);
CREATE INDEX orders_refund_due ON public.orders USING btree (id) WHERE (refund = 'due'::text);
CREATE INDEX orders_stems ON public.orders USING btree (stems_sha256) WHERE (stems_sha256 IS NOT NULL);
CREATE INDEX orders_title_parts ON public.orders USING gin (title gin_trgm_ops);
CREATE INDEX orders_untallied ON public.orders USING btree (user_id, status) WHERE (NOT tallied);
CREATE INDEX orders_upgrades ON public.orders USING btree (upgrades_license) WHERE (upgrades_license IS NOT NULL);
CREATE INDEX orders_user_newest ON public.orders USING btree (user_id, created_at, id);
CREATE INDEX orders_user_status_newest ON public.orders USING btree (user_id, status, created_at, id);

CREATE TABLE orders_to_tally (
  order_id bigint NOT NULL,
  user_id bigint NOT NULL,
  producer_id bigint NOT NULL,
  beat_id bigint NOT NULL,
  status text NOT NULL,
  completed_at timestamp with time zone,
  CONSTRAINT orders_to_tally_pkey PRIMARY KEY (order_id),
  CONSTRAINT orders_to_tally_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT orders_to_tally_status_check CHECK ((status = ANY (ARRAY['completed'::text, 'failed'::text])))
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
CREATE INDEX orders_to_tally_producer ON public.orders_to_tally USING btree (producer_id);
CREATE INDEX orders_to_tally_user ON public.orders_to_tally USING btree (user_id);

CREATE TABLE organisation_invitations (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  organisation_id bigint NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  token_sha256 bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  accepted_at timestamp with time zone,
  revoked_at timestamp with time zone,
  invited_by bigint,
  CONSTRAINT organisation_invitations_token_sha256_key UNIQUE (token_sha256),
  CONSTRAINT organisation_invitations_pkey PRIMARY KEY (id),
  CONSTRAINT organisation_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
  CONSTRAINT organisation_invitations_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES users(id),
  CONSTRAINT organisation_invitations_check CHECK (((accepted_at IS NULL) OR (revoked_at IS NULL))),
  CONSTRAINT organisation_invitations_email_check CHECK ((email = lower(email))),
  CONSTRAINT organisation_invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'billing'::text, 'viewer'::text]))),
  CONSTRAINT organisation_invitations_token_sha256_check CHECK ((length(token_sha256) = 32))
);
CREATE INDEX organisation_invitations_email ON public.organisation_invitations USING btree (email);
CREATE INDEX organisation_invitations_expiry ON public.organisation_invitations USING btree (expires_at);
CREATE INDEX organisation_invitations_invited_by ON public.organisation_invitations USING btree (invited_by) WHERE (invited_by IS NOT NULL);
CREATE UNIQUE INDEX organisation_invitations_open ON public.organisation_invitations USING btree (organisation_id, email) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));

CREATE TABLE organisation_members (
  organisation_id bigint NOT NULL,
  user_id bigint NOT NULL,
  role text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT organisation_members_pkey PRIMARY KEY (organisation_id, user_id),
  CONSTRAINT organisation_members_organisation_id_fkey FOREIGN KEY (organisation_id) REFERENCES users(id),
  CONSTRAINT organisation_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT organisation_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'billing'::text, 'viewer'::text])))
);
CREATE INDEX organisation_members_user ON public.organisation_members USING btree (user_id);

CREATE TABLE outgoing_mails (
  id uuid NOT NULL,
  user_id bigint,
  recipient text NOT NULL,
  template text NOT NULL,
  facts jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  leased_until timestamp with time zone,
  sent_at timestamp with time zone,
  failed_at timestamp with time zone,
  last_error text,
  language text,
  first_attempt_at timestamp with time zone,
  CONSTRAINT outgoing_mails_pkey PRIMARY KEY (id),
  CONSTRAINT outgoing_mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT outgoing_mails_check CHECK (((sent_at IS NULL) OR (failed_at IS NULL))),
  CONSTRAINT outgoing_mails_language_check CHECK ((language ~ '^[a-z]{2,3}$'::text))
);
CREATE INDEX outgoing_mails_due ON public.outgoing_mails USING btree (due_at) WHERE ((sent_at IS NULL) AND (failed_at IS NULL));
CREATE INDEX outgoing_mails_failed ON public.outgoing_mails USING btree (failed_at) WHERE (failed_at IS NOT NULL);
CREATE INDEX outgoing_mails_user_id ON public.outgoing_mails USING btree (user_id);

CREATE TABLE payout_accounts (
  user_id bigint NOT NULL,
  holder text,
  iban text,
  stripe_account text,
  blocked_reason text,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT payout_accounts_pkey PRIMARY KEY (user_id),
  CONSTRAINT payout_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT payout_accounts_check CHECK (((holder IS NULL) = (iban IS NULL))),
  CONSTRAINT payout_accounts_check1 CHECK (((iban IS NOT NULL) OR (stripe_account IS NOT NULL))),
  CONSTRAINT payout_accounts_holder_check CHECK (((length(holder) >= 1) AND (length(holder) <= 70))),
  CONSTRAINT payout_accounts_iban_check CHECK ((iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'::text)),
  CONSTRAINT payout_accounts_stripe_account_check CHECK ((stripe_account ~ '^acct_[A-Za-z0-9]{1,64}$'::text))
);
CREATE INDEX payout_accounts_blocked ON public.payout_accounts USING btree (user_id) WHERE (blocked_reason IS NOT NULL);

CREATE TABLE payout_runs (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  method text NOT NULL,
  currency text NOT NULL,
  cleared_before timestamp with time zone NOT NULL,
  only_user_id bigint,
  collected_to bigint DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  collected_at timestamp with time zone,
  finished_at timestamp with time zone,
  CONSTRAINT payout_runs_pkey PRIMARY KEY (id),
  CONSTRAINT payout_runs_only_user_id_fkey FOREIGN KEY (only_user_id) REFERENCES users(id),
  CONSTRAINT payout_runs_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT payout_runs_method_check CHECK ((method = ANY (ARRAY['sepa'::text, 'csv'::text, 'stripe'::text])))
);
CREATE UNIQUE INDEX payout_runs_open ON public.payout_runs USING btree ((true)) WHERE (finished_at IS NULL);

CREATE TABLE payouts (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  run_id bigint NOT NULL,
  user_id bigint NOT NULL,
  amount_cents bigint NOT NULL,
  currency text NOT NULL,
  holder text,
  iban text,
  stripe_account text,
  status text DEFAULT 'pending'::text NOT NULL,
  refusals integer DEFAULT 0 NOT NULL,
  reference text,
  failure_reason text,
  created_at timestamp with time zone NOT NULL,
  sent_at timestamp with time zone,
  settled_at timestamp with time zone,
  CONSTRAINT payouts_reference_key UNIQUE (reference),
  CONSTRAINT payouts_run_id_user_id_key UNIQUE (run_id, user_id),
  CONSTRAINT payouts_pkey PRIMARY KEY (id),
  CONSTRAINT payouts_run_id_fkey FOREIGN KEY (run_id) REFERENCES payout_runs(id),
  CONSTRAINT payouts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT payouts_amount_cents_check CHECK ((amount_cents > 0)),
  CONSTRAINT payouts_check CHECK (((iban IS NOT NULL) OR (stripe_account IS NOT NULL))),
  CONSTRAINT payouts_check1 CHECK (((status = 'failed'::text) = (failure_reason IS NOT NULL))),
  CONSTRAINT payouts_check2 CHECK (((status = ANY (ARRAY['paid'::text, 'failed'::text])) = (settled_at IS NOT NULL))),
  CONSTRAINT payouts_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT payouts_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'paid'::text, 'failed'::text])))
);
CREATE INDEX payouts_open ON public.payouts USING btree (run_id, id) WHERE (status = ANY (ARRAY['pending'::text, 'sent'::text]));
CREATE INDEX payouts_user_id ON public.payouts USING btree (user_id, id);

CREATE TABLE playlist_beats (
  playlist_id text NOT NULL,
  beat_id bigint NOT NULL,
  position integer NOT NULL,
  CONSTRAINT playlist_beats_pkey PRIMARY KEY (playlist_id, beat_id),
  CONSTRAINT playlist_beats_beat_id_fkey FOREIGN KEY (beat_id) REFERENCES beats(id) ON DELETE CASCADE,
  CONSTRAINT playlist_beats_playlist_id_fkey FOREIGN KEY (playlist_id) REFERENCES playlists(id) ON DELETE CASCADE
);
CREATE INDEX playlist_beats_beat ON public.playlist_beats USING btree (beat_id);

CREATE TABLE playlists (
  id text NOT NULL,
  user_id bigint NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  visibility text NOT NULL,
  idempotency_run uuid,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT playlists_idempotency_run_key UNIQUE (idempotency_run),
  CONSTRAINT playlists_pkey PRIMARY KEY (id),
  CONSTRAINT playlists_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT playlists_visibility_check CHECK ((visibility = ANY (ARRAY['private'::text, 'public'::text])))
);
CREATE INDEX playlists_newest ON public.playlists USING btree (user_id, created_at, id);

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

CREATE TABLE portal_credentials (
  id text NOT NULL,
  user_id text NOT NULL,
  account_id text NOT NULL,
  provider_id text NOT NULL,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  password text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT portal_credentials_provider_id_account_id_key UNIQUE (provider_id, account_id),
  CONSTRAINT portal_credentials_pkey PRIMARY KEY (id),
  CONSTRAINT portal_credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES portal_users(id)
);
CREATE INDEX portal_credentials_user ON public.portal_credentials USING btree (user_id);

CREATE TABLE portal_mail_links (
  token_sha256 bytea NOT NULL,
  purpose text NOT NULL,
  email text NOT NULL,
  name text,
  password_hash text,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  account_id text,
  basket text,
  CONSTRAINT portal_mail_links_pkey PRIMARY KEY (token_sha256),
  CONSTRAINT portal_mail_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES portal_users(id) ON DELETE CASCADE,
  CONSTRAINT portal_mail_links_check CHECK (((purpose = 'register'::text) = (name IS NOT NULL))),
  CONSTRAINT portal_mail_links_check1 CHECK (((purpose = 'register'::text) = (password_hash IS NOT NULL))),
  CONSTRAINT portal_mail_links_check2 CHECK (((basket IS NULL) OR (purpose = 'register'::text))),
  CONSTRAINT portal_mail_links_email_check CHECK ((email = lower(email))),
  CONSTRAINT portal_mail_links_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'reset'::text, 'change-email'::text, 'undo-email'::text]))),
  CONSTRAINT portal_mail_links_token_sha256_check CHECK ((length(token_sha256) = 32))
);
CREATE INDEX portal_mail_links_account ON public.portal_mail_links USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX portal_mail_links_email ON public.portal_mail_links USING btree (email);
CREATE INDEX portal_mail_links_expired ON public.portal_mail_links USING btree (expires_at);

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

CREATE TABLE producer_claims (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  producer_id bigint NOT NULL,
  email text NOT NULL,
  token_sha256 bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  proven_at timestamp with time zone,
  user_id bigint,
  CONSTRAINT producer_claims_token_sha256_key UNIQUE (token_sha256),
  CONSTRAINT producer_claims_pkey PRIMARY KEY (id),
  CONSTRAINT producer_claims_producer_id_fkey FOREIGN KEY (producer_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT producer_claims_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT producer_claims_check CHECK (((proven_at IS NULL) = (user_id IS NULL))),
  CONSTRAINT producer_claims_email_check CHECK ((email = lower(email))),
  CONSTRAINT producer_claims_token_sha256_check CHECK ((length(token_sha256) = 32))
);
CREATE INDEX producer_claims_expired ON public.producer_claims USING btree (expires_at) WHERE (proven_at IS NULL);
CREATE INDEX producer_claims_producer ON public.producer_claims USING btree (producer_id);

CREATE TABLE producer_counts (
  user_id bigint NOT NULL,
  beats_count bigint DEFAULT 0 NOT NULL,
  play_count bigint DEFAULT 0 NOT NULL,
  popularity_key bigint DEFAULT 0 NOT NULL,
  CONSTRAINT producer_counts_pkey PRIMARY KEY (user_id),
  CONSTRAINT producer_counts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT producer_counts_beats_count_check CHECK ((beats_count >= 0)),
  CONSTRAINT producer_counts_play_count_check CHECK ((play_count >= 0)),
  CONSTRAINT producer_counts_popularity_key_check CHECK ((popularity_key >= 0))
);
CREATE INDEX producer_counts_popular ON public.producer_counts USING btree (popularity_key, user_id);

CREATE TABLE profile_pictures (
  user_id bigint NOT NULL,
  sha256 text NOT NULL,
  bytes bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT profile_pictures_pkey PRIMARY KEY (user_id),
  CONSTRAINT profile_pictures_sha256_fkey FOREIGN KEY (sha256) REFERENCES stored_objects(sha256),
  CONSTRAINT profile_pictures_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT profile_pictures_bytes_check CHECK ((bytes >= 0))
);
CREATE INDEX profile_pictures_object ON public.profile_pictures USING btree (sha256);

CREATE TABLE refund_requests (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  order_id bigint NOT NULL,
  reason text NOT NULL,
  details text,
  state text DEFAULT 'open'::text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  response text,
  answered_at timestamp with time zone,
  CONSTRAINT refund_requests_pkey PRIMARY KEY (id),
  CONSTRAINT refund_requests_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT refund_requests_check CHECK (((state = 'open'::text) = (answered_at IS NULL))),
  CONSTRAINT refund_requests_check1 CHECK (((state = 'refused'::text) = (response IS NOT NULL))),
  CONSTRAINT refund_requests_details_check CHECK (((length(details) >= 1) AND (length(details) <= 2000))),
  CONSTRAINT refund_requests_reason_check CHECK ((reason = ANY (ARRAY['mistake'::text, 'duplicate'::text, 'not_as_described'::text, 'files'::text, 'other'::text]))),
  CONSTRAINT refund_requests_response_check CHECK (((length(response) >= 1) AND (length(response) <= 2000))),
  CONSTRAINT refund_requests_state_check CHECK ((state = ANY (ARRAY['open'::text, 'granted'::text, 'refused'::text])))
);
CREATE INDEX refund_requests_created_at ON public.refund_requests USING btree (created_at);
CREATE UNIQUE INDEX refund_requests_open ON public.refund_requests USING btree (order_id) WHERE (state = 'open'::text);
CREATE INDEX refund_requests_order_id ON public.refund_requests USING btree (order_id, id);

CREATE TABLE refunds (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  order_id bigint NOT NULL,
  amount_cents integer NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  origin text NOT NULL,
  reference text,
  attempts integer DEFAULT 0 NOT NULL,
  asked_at timestamp with time zone,
  failure_reason text,
  created_at timestamp with time zone NOT NULL,
  settled_at timestamp with time zone,
  idempotency_run uuid,
  CONSTRAINT refunds_idempotency_run_key UNIQUE (idempotency_run),
  CONSTRAINT refunds_reference_key UNIQUE (reference),
  CONSTRAINT refunds_pkey PRIMARY KEY (id),
  CONSTRAINT refunds_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT refunds_amount_cents_check CHECK ((amount_cents >= 0)),
  CONSTRAINT refunds_check CHECK (((status = 'pending'::text) = (settled_at IS NULL))),
  CONSTRAINT refunds_check1 CHECK (((status = 'failed'::text) = (failure_reason IS NOT NULL))),
  CONSTRAINT refunds_origin_check CHECK ((origin = ANY (ARRAY['operator'::text, 'provider'::text, 'unfulfilled'::text, 'upgraded'::text]))) NOT VALID,
  CONSTRAINT refunds_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX refunds_order ON public.refunds USING btree (order_id);
CREATE INDEX refunds_pending ON public.refunds USING btree (id) WHERE (status = 'pending'::text);

CREATE TABLE renditions (
  master_sha256 text NOT NULL,
  kind text NOT NULL,
  sha256 text NOT NULL,
  bytes bigint NOT NULL,
  content_type text NOT NULL,
  CONSTRAINT renditions_pkey PRIMARY KEY (master_sha256, kind),
  CONSTRAINT renditions_master_sha256_fkey FOREIGN KEY (master_sha256) REFERENCES stored_objects(sha256),
  CONSTRAINT renditions_sha256_fkey FOREIGN KEY (sha256) REFERENCES stored_objects(sha256),
  CONSTRAINT renditions_bytes_check CHECK ((bytes >= 0)),
  CONSTRAINT renditions_kind_check CHECK ((kind = ANY (ARRAY['mp3'::text, 'wav'::text, 'lossy_mp3'::text])))
);
CREATE INDEX renditions_object ON public.renditions USING btree (sha256);

CREATE TABLE request_log_blocks (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  api_key_id bigint,
  user_id bigint,
  from_explorer boolean NOT NULL,
  first_at timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  calls integer NOT NULL,
  refused integer NOT NULL,
  content bytea NOT NULL,
  admitted_times bytea,
  CONSTRAINT request_log_blocks_pkey PRIMARY KEY (id)
);
CREATE INDEX request_log_blocks_account ON public.request_log_blocks USING btree (user_id, last_at, id);
CREATE INDEX request_log_blocks_admitted ON public.request_log_blocks USING btree (api_key_id, from_explorer, last_at, id) WHERE (admitted_times IS DISTINCT FROM '\x'::bytea);
CREATE INDEX request_log_blocks_key ON public.request_log_blocks USING btree (api_key_id, last_at, id);
CREATE INDEX request_log_blocks_last ON public.request_log_blocks USING brin (last_at);
CREATE INDEX request_log_blocks_newest ON public.request_log_blocks USING btree (last_at, id);
CREATE INDEX request_log_blocks_newest_refused ON public.request_log_blocks USING btree (last_at, id) WHERE (refused > 0);
CREATE INDEX request_log_blocks_refused ON public.request_log_blocks USING btree (user_id, last_at, id) WHERE (refused > 0);

CREATE TABLE request_log_days (
  day timestamp with time zone NOT NULL,
  anonymous boolean NOT NULL,
  bytes bigint NOT NULL,
  CONSTRAINT request_log_days_pkey PRIMARY KEY (day, anonymous)
);

CREATE TABLE request_rollups (
  user_id bigint NOT NULL,
  seconds integer NOT NULL,
  start timestamp with time zone NOT NULL,
  api_key_id bigint NOT NULL,
  operation text NOT NULL,
  status smallint NOT NULL,
  refused_by text NOT NULL,
  duration_span smallint NOT NULL,
  calls integer NOT NULL,
  from_explorer boolean DEFAULT false NOT NULL,
  CONSTRAINT request_rollups_pkey PRIMARY KEY (user_id, seconds, start, api_key_id, from_explorer, operation, status, refused_by, duration_span),
  CONSTRAINT request_rollups_seconds_check CHECK ((seconds = ANY (ARRAY[60, 3600, 86400])))
) WITH (fillfactor=70);
CREATE INDEX request_rollups_errors ON public.request_rollups USING btree (seconds, start) WHERE (status >= 400);
CREATE INDEX request_rollups_start ON public.request_rollups USING btree (seconds, start);

CREATE TABLE sales_counts (
  producer_id bigint NOT NULL,
  day timestamp with time zone NOT NULL,
  sales bigint NOT NULL,
  CONSTRAINT sales_counts_pkey PRIMARY KEY (producer_id, day),
  CONSTRAINT sales_counts_producer_id_fkey FOREIGN KEY (producer_id) REFERENCES users(id),
  CONSTRAINT sales_counts_sales_check CHECK ((sales > 0))
);

CREATE TABLE sandbox_checkouts (
  checkout_key text NOT NULL,
  amount_cents integer NOT NULL,
  currency text NOT NULL,
  status text NOT NULL,
  payment_method text,
  failure_reason text,
  paid_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT sandbox_checkouts_pkey PRIMARY KEY (checkout_key),
  CONSTRAINT sandbox_checkouts_status_check CHECK ((status = ANY (ARRAY['open'::text, 'approving'::text, 'processing'::text, 'succeeded'::text, 'expired'::text])))
);

CREATE TABLE sandbox_payments (
  order_id bigint NOT NULL,
  amount_cents integer NOT NULL,
  currency text NOT NULL,
  payment_method text NOT NULL,
  status text NOT NULL,
  failure_reason text,
  refunded boolean DEFAULT false NOT NULL,
  CONSTRAINT sandbox_payments_pkey PRIMARY KEY (order_id),
  CONSTRAINT sandbox_payments_check CHECK (((status = 'failed'::text) = (failure_reason IS NOT NULL))),
  CONSTRAINT sandbox_payments_check1 CHECK (((NOT refunded) OR (status = 'succeeded'::text))),
  CONSTRAINT sandbox_payments_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])))
);

CREATE TABLE sandbox_refunds (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  order_id bigint NOT NULL,
  key text NOT NULL,
  amount_cents integer NOT NULL,
  status text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT sandbox_refunds_key_key UNIQUE (key),
  CONSTRAINT sandbox_refunds_pkey PRIMARY KEY (id),
  CONSTRAINT sandbox_refunds_amount_cents_check CHECK ((amount_cents > 0)),
  CONSTRAINT sandbox_refunds_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX sandbox_refunds_order ON public.sandbox_refunds USING btree (order_id);

CREATE TABLE sandboxes (
  id text NOT NULL,
  user_id bigint NOT NULL,
  kind text NOT NULL,
  seed text NOT NULL,
  catalogue text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  CONSTRAINT sandboxes_pkey PRIMARY KEY (id),
  CONSTRAINT sandboxes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT sandboxes_kind_check CHECK ((kind = ANY (ARRAY['test'::text, 'sandbox'::text])))
);
CREATE INDEX sandboxes_by_user ON public.sandboxes USING btree (user_id, created_at);
CREATE UNIQUE INDEX sandboxes_test_half ON public.sandboxes USING btree (user_id) WHERE ((kind = 'test'::text) AND (deleted_at IS NULL));

CREATE TABLE saved_views (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  name text NOT NULL,
  query text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  person_id bigint,
  CONSTRAINT saved_views_pkey PRIMARY KEY (id),
  CONSTRAINT saved_views_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT saved_views_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT saved_views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 60))),
  CONSTRAINT saved_views_query_check CHECK (((length(query) >= 1) AND (length(query) <= 2000)))
);
CREATE UNIQUE INDEX saved_views_name ON public.saved_views USING btree (user_id, COALESCE(person_id, user_id), lower(name));
CREATE INDEX saved_views_person ON public.saved_views USING btree (person_id) WHERE (person_id IS NOT NULL);

CREATE TABLE sealing_key (
  only_row boolean DEFAULT true NOT NULL,
  id text,
  format smallint NOT NULL,
  CONSTRAINT sealing_key_pkey PRIMARY KEY (only_row),
  CONSTRAINT sealing_key_format_check CHECK ((format = ANY (ARRAY[1, 2]))),
  CONSTRAINT sealing_key_only_row_check CHECK (only_row)
);

CREATE TABLE signing_keys (
  kid text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_key text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  purpose text DEFAULT 'certificates'::text NOT NULL,
  CONSTRAINT signing_keys_pkey PRIMARY KEY (kid),
  CONSTRAINT signing_keys_purpose_check CHECK ((purpose = ANY (ARRAY['certificates'::text, 'license log'::text])))
);

CREATE TABLE storage_identity (
  only_row boolean DEFAULT true NOT NULL,
  id uuid NOT NULL,
  place text NOT NULL,
  is_written boolean DEFAULT false NOT NULL,
  CONSTRAINT storage_identity_pkey PRIMARY KEY (only_row),
  CONSTRAINT storage_identity_only_row_check CHECK (only_row)
);

CREATE TABLE stored_objects (
  sha256 text NOT NULL,
  bytes bigint NOT NULL,
  state text DEFAULT 'storing'::text NOT NULL,
  touched_at timestamp with time zone NOT NULL,
  crc32 bigint,
  CONSTRAINT stored_objects_pkey PRIMARY KEY (sha256),
  CONSTRAINT stored_objects_bytes_check CHECK ((bytes >= 0)),
  CONSTRAINT stored_objects_crc32_check CHECK (((crc32 >= 0) AND (crc32 <= '4294967295'::bigint))),
  CONSTRAINT stored_objects_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT stored_objects_state_check CHECK ((state = ANY (ARRAY['storing'::text, 'stored'::text])))
);
CREATE INDEX stored_objects_touched ON public.stored_objects USING btree (touched_at);

CREATE TABLE takedowns (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  beat_id bigint NOT NULL,
  reason text NOT NULL,
  withdraws_files boolean NOT NULL,
  taken_down_at timestamp with time zone NOT NULL,
  answer text,
  answered_at timestamp with time zone,
  restored_at timestamp with time zone,
  CONSTRAINT takedowns_pkey PRIMARY KEY (id),
  CONSTRAINT takedowns_beat_id_fkey FOREIGN KEY (beat_id) REFERENCES beats(id) ON DELETE CASCADE,
  CONSTRAINT takedowns_answer_check CHECK (((length(answer) >= 1) AND (length(answer) <= 2000))),
  CONSTRAINT takedowns_check CHECK (((answer IS NULL) OR (answered_at IS NOT NULL)))
);
CREATE INDEX takedowns_beat ON public.takedowns USING btree (beat_id, id);
CREATE UNIQUE INDEX takedowns_current ON public.takedowns USING btree (beat_id) WHERE (restored_at IS NULL);

CREATE TABLE tax_rates (
  country text NOT NULL,
  name text NOT NULL,
  basis_points integer NOT NULL,
  valid_from date NOT NULL,
  valid_to date,
  CONSTRAINT tax_rates_pkey PRIMARY KEY (country, valid_from),
  CONSTRAINT tax_rates_basis_points_check CHECK (((basis_points >= 1) AND (basis_points <= 10000))),
  CONSTRAINT tax_rates_check CHECK ((valid_to >= valid_from)),
  CONSTRAINT tax_rates_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  CONSTRAINT tax_rates_name_check CHECK (((length(name) >= 1) AND (length(name) <= 40)))
);

CREATE TABLE upload_files (
  upload_id text NOT NULL,
  name text NOT NULL,
  sha256 text NOT NULL,
  bytes bigint NOT NULL,
  content_type text NOT NULL,
  CONSTRAINT upload_files_pkey PRIMARY KEY (upload_id, name),
  CONSTRAINT upload_files_sha256_fkey FOREIGN KEY (sha256) REFERENCES stored_objects(sha256),
  CONSTRAINT upload_files_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES uploads(id) ON DELETE CASCADE,
  CONSTRAINT upload_files_bytes_check CHECK ((bytes >= 0))
);
CREATE INDEX upload_files_object ON public.upload_files USING btree (sha256);

CREATE TABLE upload_parts (
  upload_id text NOT NULL,
  first_byte bigint NOT NULL,
  sha256 text NOT NULL,
  bytes bigint NOT NULL,
  CONSTRAINT upload_parts_pkey PRIMARY KEY (upload_id, first_byte),
  CONSTRAINT upload_parts_sha256_fkey FOREIGN KEY (sha256) REFERENCES stored_objects(sha256),
  CONSTRAINT upload_parts_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES uploads(id) ON DELETE CASCADE,
  CONSTRAINT upload_parts_bytes_check CHECK ((bytes > 0)),
  CONSTRAINT upload_parts_first_byte_check CHECK ((first_byte >= 0))
);
CREATE INDEX upload_parts_object ON public.upload_parts USING btree (sha256);

CREATE TABLE uploads (
  id text NOT NULL,
  user_id bigint NOT NULL,
  kind text NOT NULL,
  filename text NOT NULL,
  bytes bigint NOT NULL,
  received bigint DEFAULT 0 NOT NULL,
  status text DEFAULT 'receiving'::text NOT NULL,
  rejection text,
  is_retriable boolean DEFAULT false NOT NULL,
  analysis jsonb,
  used_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT uploads_pkey PRIMARY KEY (id),
  CONSTRAINT uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT uploads_bytes_check CHECK ((bytes > 0)),
  CONSTRAINT uploads_check CHECK (((received >= 0) AND (received <= bytes))),
  CONSTRAINT uploads_check1 CHECK (((status = 'rejected'::text) = (rejection IS NOT NULL))),
  CONSTRAINT uploads_kind_check CHECK ((kind = ANY (ARRAY['audio'::text, 'stems'::text, 'cover'::text]))),
  CONSTRAINT uploads_status_check CHECK ((status = ANY (ARRAY['receiving'::text, 'analysing'::text, 'ready'::text, 'rejected'::text])))
);
CREATE INDEX uploads_created ON public.uploads USING btree (created_at);
CREATE INDEX uploads_unused ON public.uploads USING btree (expires_at) WHERE (used_at IS NULL);
CREATE INDEX uploads_user ON public.uploads USING btree (user_id, created_at);

CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  username text NOT NULL,
  email text,
  display_name text NOT NULL,
  bio text,
  location text,
  website text,
  avatar_url text,
  is_producer boolean DEFAULT false NOT NULL,
  import_name text,
  created_at timestamp with time zone DEFAULT date_trunc('second'::text, now()) NOT NULL,
  updated_at timestamp with time zone DEFAULT date_trunc('second'::text, now()) NOT NULL,
  marketplace boolean DEFAULT false NOT NULL,
  joined_user_id bigint,
  operator boolean DEFAULT false NOT NULL,
  suspended_at timestamp with time zone,
  suspension_reason text,
  organisation boolean DEFAULT false NOT NULL,
  sale_mails boolean DEFAULT true NOT NULL,
  time_zone text,
  beats_stay_listed boolean DEFAULT false NOT NULL,
  commission_basis_points integer,
  embed_origins text[] DEFAULT '{}'::text[] NOT NULL,
  links text[] DEFAULT '{}'::text[] NOT NULL,
  language text,
  CONSTRAINT users_email_key UNIQUE (email),
  CONSTRAINT users_username_key UNIQUE (username),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_joined_user_id_fkey FOREIGN KEY (joined_user_id) REFERENCES users(id),
  CONSTRAINT users_check CHECK (((joined_user_id IS NULL) OR (email IS NULL))),
  CONSTRAINT users_check1 CHECK (((suspended_at IS NULL) = (suspension_reason IS NULL))),
  CONSTRAINT users_check2 CHECK (((NOT organisation) OR (email IS NULL))),
  CONSTRAINT users_commission_basis_points_check CHECK (((commission_basis_points >= 0) AND (commission_basis_points <= 10000))),
  CONSTRAINT users_embed_origins_check CHECK ((cardinality(embed_origins) <= 20)),
  CONSTRAINT users_language_check CHECK ((language ~ '^[a-z]{2,3}$'::text)),
  CONSTRAINT users_links_check CHECK ((cardinality(links) <= 8))
);
CREATE INDEX users_accounts ON public.users USING btree (id) WHERE (email IS NOT NULL);
CREATE INDEX users_accounts_email ON public.users USING btree (email text_pattern_ops) WHERE (email IS NOT NULL);
CREATE INDEX users_accounts_name ON public.users USING btree (lower(display_name) text_pattern_ops) WHERE (email IS NOT NULL);
CREATE UNIQUE INDEX users_import_name ON public.users USING btree (import_name) WHERE (import_name IS NOT NULL);
CREATE INDEX users_joined ON public.users USING btree (id) WHERE (joined_user_id IS NOT NULL);
CREATE INDEX users_organisations ON public.users USING btree (lower(display_name) text_pattern_ops) WHERE organisation;
CREATE INDEX users_producer_name_parts ON public.users USING gin (display_name gin_trgm_ops) WHERE is_producer;
CREATE INDEX users_producers_name ON public.users USING btree (lower(display_name), id) WHERE is_producer;
CREATE INDEX users_producers_newest ON public.users USING btree (created_at, id) WHERE is_producer;
CREATE INDEX users_suspended ON public.users USING btree (id) WHERE (suspended_at IS NOT NULL);

CREATE TABLE webhook_attempts (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  delivery_id bigint NOT NULL,
  attempted_at timestamp with time zone NOT NULL,
  status smallint,
  duration_ms integer NOT NULL,
  error text,
  answer text NOT NULL,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_attempts_delivery ON public.webhook_attempts USING btree (delivery_id, id);

CREATE TABLE webhook_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  endpoint_id bigint NOT NULL,
  event_id text NOT NULL,
  state text NOT NULL,
  attempts smallint DEFAULT 0 NOT NULL,
  next_attempt_at timestamp with time zone,
  lease uuid,
  leased_until timestamp with time zone,
  ordered boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  type text DEFAULT ''::text NOT NULL,
  CONSTRAINT webhook_deliveries_endpoint_id_event_id_key UNIQUE (endpoint_id, event_id),
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_check CHECK (((state = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  CONSTRAINT webhook_deliveries_check1 CHECK (((state = 'sending'::text) = ((leased_until IS NOT NULL) AND (lease IS NOT NULL)))),
  CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sending'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text])))
) WITH (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=5000);
CREATE INDEX webhook_deliveries_created ON public.webhook_deliveries USING brin (created_at);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (endpoint_id, next_attempt_at, id) WHERE (state = 'pending'::text);
CREATE INDEX webhook_deliveries_listed ON public.webhook_deliveries USING btree (endpoint_id, state, type, event_id);
CREATE INDEX webhook_deliveries_ordered ON public.webhook_deliveries USING btree (endpoint_id, id) WHERE ((state = 'pending'::text) AND ordered);
CREATE INDEX webhook_deliveries_sending ON public.webhook_deliveries USING btree (endpoint_id, leased_until) WHERE (state = 'sending'::text);
CREATE INDEX webhook_deliveries_unsent ON public.webhook_deliveries USING btree (endpoint_id, event_id) WHERE (state = ANY (ARRAY['failed'::text, 'skipped'::text]));

CREATE TABLE webhook_endpoints (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  user_id bigint NOT NULL,
  url text NOT NULL,
  event_types text[],
  description text DEFAULT ''::text NOT NULL,
  kind text DEFAULT 'http'::text NOT NULL,
  listener_seen_at timestamp with time zone,
  secret text NOT NULL,
  previous_secret text,
  previous_secret_until timestamp with time zone,
  ordered boolean DEFAULT false NOT NULL,
  state text DEFAULT 'enabled'::text NOT NULL,
  disabled_at timestamp with time zone,
  disabled_reason text,
  failing_since timestamp with time zone,
  consecutive_failures integer DEFAULT 0 NOT NULL,
  last_error text,
  last_success_at timestamp with time zone,
  concurrency smallint DEFAULT 2 NOT NULL,
  resume_at timestamp with time zone,
  mail_due text,
  failing_mail_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  last_failure_at timestamp with time zone,
  mail_leased_until timestamp with time zone,
  replayed integer DEFAULT 0 NOT NULL,
  replay_window_ends_at timestamp with time zone,
  created_by bigint,
  url_set_by bigint,
  url_set_at timestamp with time zone,
  api_version text DEFAULT '2026-11-20'::text NOT NULL,
  access_key_id text,
  secret_access_key text,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoints_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT webhook_endpoints_url_set_by_fkey FOREIGN KEY (url_set_by) REFERENCES users(id),
  CONSTRAINT webhook_endpoints_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  CONSTRAINT webhook_endpoints_access_key CHECK ((((kind = 's3'::text) = (access_key_id IS NOT NULL)) AND ((kind = 's3'::text) = (secret_access_key IS NOT NULL)))),
  CONSTRAINT webhook_endpoints_check CHECK (((kind = 'listen'::text) = (listener_seen_at IS NOT NULL))),
  CONSTRAINT webhook_endpoints_check1 CHECK (((previous_secret IS NULL) = (previous_secret_until IS NULL))),
  CONSTRAINT webhook_endpoints_check2 CHECK (((state = 'disabled'::text) = (disabled_reason IS NOT NULL))),
  CONSTRAINT webhook_endpoints_concurrency_check CHECK ((concurrency > 0)),
  CONSTRAINT webhook_endpoints_event_types_check CHECK ((event_types <> '{}'::text[])),
  CONSTRAINT webhook_endpoints_kind_check CHECK ((kind = ANY (ARRAY['http'::text, 'inbox'::text, 'listen'::text, 's3'::text]))),
  CONSTRAINT webhook_endpoints_mail_due_check CHECK ((mail_due = ANY (ARRAY['failing'::text, 'disabled'::text]))),
  CONSTRAINT webhook_endpoints_state_check CHECK ((state = ANY (ARRAY['enabled'::text, 'disabled'::text])))
);
CREATE INDEX webhook_endpoints_buckets ON public.webhook_endpoints USING btree (id) WHERE (kind = 's3'::text);
CREATE INDEX webhook_endpoints_created_by ON public.webhook_endpoints USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE UNIQUE INDEX webhook_endpoints_inbox ON public.webhook_endpoints USING btree (user_id) WHERE (kind = 'inbox'::text);
CREATE INDEX webhook_endpoints_mail_due ON public.webhook_endpoints USING btree (id) WHERE (mail_due IS NOT NULL);
CREATE INDEX webhook_endpoints_noticed ON public.webhook_endpoints USING btree (user_id) WHERE ((state = 'disabled'::text) OR (failing_since IS NOT NULL));
CREATE INDEX webhook_endpoints_url_set_by ON public.webhook_endpoints USING btree (url_set_by) WHERE (url_set_by IS NOT NULL);
CREATE INDEX webhook_endpoints_user ON public.webhook_endpoints USING btree (user_id, id);

CREATE TABLE webhook_receipts (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  endpoint_id bigint NOT NULL,
  delivery_id bigint NOT NULL,
  received_at timestamp with time zone NOT NULL,
  headers jsonb NOT NULL,
  body text NOT NULL,
  computed_signature text NOT NULL,
  secret_end text NOT NULL,
  verified boolean NOT NULL,
  CONSTRAINT webhook_receipts_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_receipts_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE
);
CREATE INDEX webhook_receipts_endpoint ON public.webhook_receipts USING btree (endpoint_id, id);

CREATE SEQUENCE catalogue_positions AS bigint START WITH 1000 INCREMENT BY 1000;

CREATE SEQUENCE event_positions AS bigint START WITH 1 INCREMENT BY 1;

CREATE SEQUENCE license_status_index AS bigint START WITH 0 INCREMENT BY 1;

CREATE OR REPLACE FUNCTION public.add_changes(subject text, type text, changed_ids bigint[])
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into catalogue_changes (subject, type, ids)
    select $1, $2, changed_ids[first : first + 999]
    from generate_series(1, cardinality(changed_ids), 1000) as first
$function$;

CREATE OR REPLACE FUNCTION public.add_leaf(kind text, beat_id bigint, order_id bigint, at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  last record;
begin
  perform lock_commit_order();
  select l.index, l.at into last from license_log l order by l.index desc limit 1;
  insert into license_log (index, kind, beat_id, order_id, at, salt)
    values (coalesce(last.index + 1, 0), kind, beat_id, order_id, greatest(last.at, date_trunc('second', at)),
            sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
end $function$;

CREATE OR REPLACE FUNCTION public.add_refund_due()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into refunds (order_id, amount_cents, origin, attempts, asked_at, created_at)
  values (new.id, new.amount_cents, 'unfulfilled', 1, now(), now());
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.add_to_genres(genre_ids bigint[], beats bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform from genres where id = any (genre_ids) order by id for no key update;
  update genres g set beats_count = g.beats_count + d.beats
    from unnest(genre_ids, beats) as d (genre_id, beats)
    where g.id = d.genre_id;
end $function$;

CREATE OR REPLACE FUNCTION public.assign_change_position()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  last_position bigint;
begin
  perform lock_commit_order();
  last_position := nextval('catalogue_positions');
  update catalogue_changes set position = last_position where id = new.id;
  perform pg_notify('catalogue', case new.subject when 'beats' then last_position::text else new.subject end);
  -- Beats show the names of their producer and genre. They are looked for under the lock: a beat that another transaction
  -- has not committed yet comes behind this position, and is read with the new name.
  if new.type = 'renamed' then
    perform add_changes('beats', 'updated', array(
      select id from beats
      where is_listed and (new.subject = 'users' and user_id = any (new.ids) or new.subject = 'genres' and genre_id = any (new.ids))
      order by id));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.available_licenses(exclusive_state text, unsold text[])
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when exclusive_state <> 'available' then 0
    when unsold = '{}' then 15
    else ('basic' <> all (unsold))::integer + 2 * ('premium' <> all (unsold))::integer
      + 4 * ('unlimited' <> all (unsold))::integer + 8 * ('exclusive' <> all (unsold))::integer end
$function$;

CREATE OR REPLACE FUNCTION public.batch_completed_orders()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into license_log_batches (order_ids)
    select array_agg(id order by id) from became where status = 'completed' having count(*) > 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.batch_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into event_batches (event_ids) select array_agg(id order by id) from became having count(*) > 0;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_inserted_beats()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform require_producers(array(select distinct user_id from became where not is_listed));
  perform lock_genres(array(select distinct genre_id from became));
  perform add_to_genres(array_agg(genre_id), array_agg(beats))
    from (select genre_id, count(*) as beats from became where is_listed group by genre_id) d
    having count(*) > 0;
  insert into producer_counts as c (user_id, beats_count, play_count, popularity_key)
    select user_id, count(*), sum(play_count), sum(popularity_key)
    from became where is_listed group by user_id order by user_id
  on conflict (user_id) do update set
    beats_count = c.beats_count + excluded.beats_count,
    play_count = c.play_count + excluded.play_count,
    popularity_key = c.popularity_key + excluded.popularity_key;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_producers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into producer_counts (user_id)
    select id from became where is_producer order by id
  on conflict do nothing;
  delete from producer_counts
    where beats_count = 0 and user_id in (select id from became where not is_producer);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_tallied_sale()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into sales_counts (producer_id, day, sales)
    values (new.producer_id, date_trunc('day', new.completed_at, 'UTC'), 1)
  on conflict (producer_id, day) do update set sales = sales_counts.sales + 1;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_updated_beats()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform require_producers(array(
    select distinct user_id from (
      select id, user_id from became where not is_listed except select id, user_id from was) as moved));
  perform lock_genres(array(
    select distinct genre_id from (select id, genre_id from became except select id, genre_id from was) as moved));
  perform add_to_genres(array_agg(genre_id), array_agg(beats))
    from (
      select genre_id, sum(sign)::bigint as beats
      from (select genre_id, 1 as sign from became where is_listed
            union all select genre_id, -1 from was where is_listed) s
      group by genre_id having sum(sign) <> 0
    ) d
    having count(*) > 0;
  insert into producer_counts (user_id)
    select distinct user_id from became where is_listed order by user_id
  on conflict do nothing;
  perform from producer_counts where user_id in (select user_id from became union select user_id from was)
    order by user_id for no key update;
  update producer_counts c set
      beats_count = c.beats_count + d.beats,
      play_count = c.play_count + d.plays,
      popularity_key = c.popularity_key + d.keys
    from (
      select user_id, sum(sign) as beats, sum(sign * play_count) as plays, sum(sign * popularity_key) as keys
      from (select user_id, play_count, popularity_key, 1 as sign from became where is_listed
            union all select user_id, play_count, popularity_key, -1 from was where is_listed) s
      group by user_id
      having sum(sign) <> 0 or sum(sign * play_count) <> 0 or sum(sign * popularity_key) <> 0
    ) d
    where c.user_id = d.user_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.feed_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  notices bigint;
begin
  perform lock_commit_order();
  with placed as (
    select nextval('event_positions') as position, id, type, audience
    from (
      select id, type, audience from unnest(new.event_ids) with ordinality as batched (id, place) join events using (id)
      order by place
    ) as batch
  ), entries as (
    insert into event_feed_entries (feed, type, position, event_id)
      select feed, type, position, id from placed cross join lateral feeds_of(audience) as feed
    returning feed, type
  ), fed as (
    select distinct feed, type from entries
  ), known as (
    insert into event_feeds (feed, type) select feed, type from fed on conflict do nothing
  )
  select count(pg_notify('events', feed || ' ' || type)) into notices from fed;
  delete from event_batches where id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.feeds_of(audience bigint[])
 RETURNS SETOF bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select 0 where audience is null
  union select unnest(audience)
  union select -1 where audience <> '{}'
$function$;

CREATE OR REPLACE FUNCTION public.guard_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> 'pending'
    and (new.status, new.failure_reason, new.completed_at)
      is distinct from (old.status, old.failure_reason, old.completed_at)
  then
    raise exception 'order % is %, which is final', old.id, old.status using errcode = 'check_violation';
  end if;
  if (new.id, new.user_id, new.beat_id, new.title, new.producer_id, new.producer_name, new.license_type, new.upgrades_license,
      new.amount_cents, new.currency, new.payment_method, new.payment_provider, new.payment_key, new.created_at)
    is distinct from
     (old.id, old.user_id, old.beat_id, old.title, old.producer_id, old.producer_name, old.license_type, old.upgrades_license,
      old.amount_cents, old.currency, old.payment_method, old.payment_provider, old.payment_key, old.created_at)
  then
    raise exception 'what order % is of never changes', old.id using errcode = 'check_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.is_full_refund(refunded_at timestamp with time zone, refunded_cents bigint, amount_cents bigint)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$ select refunded_at is not null and refunded_cents = amount_cents $function$;

CREATE OR REPLACE FUNCTION public.keep_genre_of_beats()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from beats where genre_id = old.id) then
    raise foreign_key_violation using message = format('genre %s still has beats', old.id);
  end if;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_producer_of_beats()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from producer_counts where user_id = old.id and beats_count = 0;
  if exists (select from beats where user_id = old.id) then
    raise foreign_key_violation using message = format('user %s still has beats', old.id);
  end if;
  return old;
end $function$;

CREATE OR REPLACE FUNCTION public.list_price_cents(unsold text[], basic integer, premium integer, unlimited integer, exclusive integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when unsold = '{}' or 'basic' <> all (unsold) then basic
    when 'premium' <> all (unsold) then premium
    when 'unlimited' <> all (unsold) then unlimited
    else exclusive end
$function$;

CREATE OR REPLACE FUNCTION public.lock_commit_order()
 RETURNS void
 LANGUAGE sql
AS $function$
  select pg_advisory_xact_lock(hashtext('beatmarket:commit order'))
$function$;

CREATE OR REPLACE FUNCTION public.lock_genres(genre_ids bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  found_count integer;
begin
  perform from genres where id = any (genre_ids) order by id for key share;
  get diagnostics found_count = row_count;
  if found_count < cardinality(genre_ids) then
    raise foreign_key_violation using message = 'a beat refers to a genre that does not exist';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.log_beat()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.is_taken_down <> new.is_taken_down then
    perform add_leaf(case when new.is_taken_down then 'taken_down' else 'restored' end, new.id, null, new.updated_at);
  else
    perform add_leaf('returned', new.id, null, now());
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.log_completed_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform add_leaf('sold', new.beat_id, new.id, coalesce(new.completed_at, now()));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.log_completed_orders()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  last record;
begin
  perform lock_commit_order();
  select l.index, l.at into last from license_log l order by l.index desc limit 1;
  insert into license_log (index, kind, beat_id, order_id, at, salt)
    select coalesce(last.index + 1, 0) + place - 1, 'sold', beat_id, id, greatest(last.at, max(second) over (order by place)),
           sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
    from (
      select place, id, beat_id, date_trunc('second', coalesce(completed_at, now())) as second
      from unnest(new.order_ids) with ordinality as batched (id, place) join orders using (id)
    ) as sold
    order by place;
  delete from license_log_batches where id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.log_refund()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if is_full_refund(new.refunded_at, new.refunded_cents, new.amount_cents) then
    perform add_leaf('refunded', new.beat_id, new.id, new.refunded_at);
  else
    perform add_leaf('reinstated', new.beat_id, new.id, now());
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_account_access()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('access', 'user ' || old.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_key_access()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('access', 'key ' || old.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_member_access()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('access', 'user ' || old.organisation_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_names()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  notify catalogue, 'names';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_session_access()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('access', 'user ' || coalesce(old.acting_as, (
    select portal_users.user_id from portal_users where portal_users.id = old.user_id)));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_takedowns()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  notify catalogue, 'takedowns';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_webhook_endpoints()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  notify webhook_endpoints;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change_of_invoice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'An invoice never changes: a credit note corrects it.';
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise integrity_constraint_violation using message = 'the ledger is append-only: record a reversal instead';
end $function$;

CREATE OR REPLACE FUNCTION public.require_balanced_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  unbalanced bigint;
begin
  select transaction_id into unbalanced from became
    group by transaction_id, currency having sum(amount_cents) <> 0 order by transaction_id limit 1;
  if unbalanced is not null then
    raise check_violation using message = 'the entries of ledger transaction ' || unbalanced || ' do not sum to zero';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.require_producers(user_ids bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform from users where id = any(user_ids) order by id for key share;
  if exists (select from unnest(user_ids) as given (id) where not exists (select from users where users.id = given.id)) then
    raise foreign_key_violation using message = 'a beat is by a user who does not exist';
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.stream_changed_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform add_changes(tg_table_name::text, 'updated', array(select id from became order by id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stream_deleted_beats()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform add_changes('beats', 'withdrawn', array(select id from was where is_listed order by id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stream_inserted_beats()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform add_changes('beats', 'published', array(select id from became where is_listed));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stream_renamed_genres()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform add_changes('genres', 'renamed', array(
    select id from was join became using (id) where (was.name, was.slug) <> (became.name, became.slug) order by id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stream_renamed_users()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform add_changes('users', 'renamed', array(
    select id from was join became using (id) where was.display_name <> became.display_name order by id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stream_updated_beats()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform add_changes('beats', type, array_agg(id order by id))
  from (
    select id,
           case when became.is_listed then case when was.is_listed then 'updated' else 'published' end
                when became.exclusive_state = 'sold' and not became.is_taken_down then 'sold' else 'withdrawn' end as type
    from was full join became using (id)
    where was.is_listed or became.is_listed
      or (was.exclusive_state = 'sold' and became.exclusive_state = 'sold' and was.is_taken_down <> became.is_taken_down)
  ) as changed
  group by type order by type;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.suspend_beats_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.suspended_at is null then
    update beats set is_listed = exclusive_state <> 'sold', is_suspended = false, updated_at = date_trunc('second', now())
    where user_id = new.id and is_suspended;
  elsif not new.beats_stay_listed then
    update beats set is_listed = false, is_suspended = true, updated_at = date_trunc('second', now())
    where user_id = new.id and is_listed;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.suspend_inserted_beats()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from users where suspended_at is not null and not beats_stay_listed) then
    update beats set is_listed = false, is_suspended = true
    where id in (
      select id from became
      where is_listed and user_id in (select id from users where suspended_at is not null and not beats_stay_listed));
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.suspend_listed_beat()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  keeps_off_sale boolean;
begin
  select suspended_at is not null and not beats_stay_listed into keeps_off_sale from users where id = new.user_id for share;
  new.is_suspended := new.is_taken_down or coalesce(keeps_off_sale, false);
  new.is_listed := not new.is_suspended;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.unfeed_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  with gone as (delete from event_feed_entries where event_id in (select id from was) returning feed, type, position)
  update event_feeds
    set horizon = greatest(horizon, newest.position)
    from (select feed, type, max(position) as position from gone group by feed, type) as newest
    where (event_feeds.feed, event_feeds.type) = (newest.feed, newest.type);
  return null;
end $function$;

CREATE TRIGGER api_keys_access AFTER UPDATE OF revoked_at, expires_at, permissions ON public.api_keys FOR EACH ROW EXECUTE FUNCTION notify_key_access();
CREATE TRIGGER api_keys_access_deleted AFTER DELETE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION notify_key_access();
CREATE TRIGGER beats_deleted_stream AFTER DELETE ON public.beats REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION stream_deleted_beats();
CREATE TRIGGER beats_inserted AFTER INSERT ON public.beats REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_beats();
CREATE TRIGGER beats_inserted_stream AFTER INSERT ON public.beats REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION stream_inserted_beats();
CREATE TRIGGER beats_inserted_suspended AFTER INSERT ON public.beats REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION suspend_inserted_beats();
CREATE TRIGGER beats_listed BEFORE UPDATE OF is_listed, user_id ON public.beats FOR EACH ROW WHEN ((new.is_listed AND ((NOT old.is_listed) OR (new.user_id <> old.user_id)))) EXECUTE FUNCTION suspend_listed_beat();
CREATE CONSTRAINT TRIGGER beats_logged AFTER UPDATE OF is_taken_down, exclusive_state ON public.beats DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.is_taken_down <> new.is_taken_down) OR ((old.exclusive_state = 'sold'::text) AND (new.exclusive_state <> 'sold'::text)))) EXECUTE FUNCTION log_beat();
CREATE TRIGGER beats_taken_down AFTER UPDATE OF is_taken_down ON public.beats FOR EACH ROW WHEN ((old.is_taken_down <> new.is_taken_down)) EXECUTE FUNCTION notify_takedowns();
CREATE TRIGGER beats_updated AFTER UPDATE ON public.beats REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION count_updated_beats();
CREATE TRIGGER beats_updated_stream AFTER UPDATE ON public.beats REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION stream_updated_beats();
CREATE CONSTRAINT TRIGGER catalogue_changes_inserted AFTER INSERT ON public.catalogue_changes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION assign_change_position();
CREATE CONSTRAINT TRIGGER event_batches_inserted AFTER INSERT ON public.event_batches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION feed_events();
CREATE TRIGGER events_deleted_feed AFTER DELETE ON public.events REFERENCING OLD TABLE AS was FOR EACH STATEMENT EXECUTE FUNCTION unfeed_events();
CREATE TRIGGER events_inserted_feed AFTER INSERT ON public.events REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION batch_events();
CREATE TRIGGER genres_deleted BEFORE DELETE ON public.genres FOR EACH ROW EXECUTE FUNCTION keep_genre_of_beats();
CREATE TRIGGER genres_deleted_stream AFTER DELETE ON public.genres REFERENCING OLD TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION stream_changed_rows();
CREATE TRIGGER genres_inserted_stream AFTER INSERT ON public.genres REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION stream_changed_rows();
CREATE TRIGGER genres_renamed AFTER UPDATE OF name, slug ON public.genres FOR EACH ROW WHEN (((old.name <> new.name) OR (old.slug <> new.slug))) EXECUTE FUNCTION notify_names();
CREATE TRIGGER genres_renamed_stream AFTER UPDATE ON public.genres REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION stream_renamed_genres();
CREATE TRIGGER invoices_unchanged BEFORE DELETE OR UPDATE ON public.invoices FOR EACH ROW EXECUTE FUNCTION refuse_change_of_invoice();
CREATE TRIGGER ledger_entries_are_final BEFORE DELETE OR UPDATE ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
CREATE TRIGGER ledger_entries_sum_to_zero AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION require_balanced_entries();
CREATE TRIGGER ledger_transactions_are_final BEFORE DELETE OR UPDATE ON public.ledger_transactions FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
CREATE CONSTRAINT TRIGGER license_log_batches_inserted AFTER INSERT ON public.license_log_batches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION log_completed_orders();
CREATE CONSTRAINT TRIGGER orders_completed_leaf AFTER UPDATE ON public.orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.status <> 'completed'::text) AND (new.status = 'completed'::text))) EXECUTE FUNCTION log_completed_order();
CREATE TRIGGER orders_count_sales AFTER UPDATE OF tallied ON public.orders FOR EACH ROW WHEN (((old.status <> 'pending'::text) AND new.tallied AND (NOT old.tallied) AND (new.completed_at IS NOT NULL))) EXECUTE FUNCTION count_tallied_sale();
CREATE TRIGGER orders_guarded BEFORE UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION guard_order();
CREATE TRIGGER orders_inserted_leaves AFTER INSERT ON public.orders REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION batch_completed_orders();
CREATE TRIGGER orders_refund_due AFTER UPDATE OF refund ON public.orders FOR EACH ROW WHEN (((new.refund = 'due'::text) AND (old.refund IS DISTINCT FROM new.refund))) EXECUTE FUNCTION add_refund_due();
CREATE CONSTRAINT TRIGGER orders_refunded_leaf AFTER UPDATE OF refunded_cents, refunded_at ON public.orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.status = 'completed'::text) AND (is_full_refund(old.refunded_at, (old.refunded_cents)::bigint, (old.amount_cents)::bigint) <> is_full_refund(new.refunded_at, (new.refunded_cents)::bigint, (new.amount_cents)::bigint)))) EXECUTE FUNCTION log_refund();
CREATE TRIGGER organisation_members_access AFTER UPDATE OF role ON public.organisation_members FOR EACH ROW EXECUTE FUNCTION notify_member_access();
CREATE TRIGGER organisation_members_access_deleted AFTER DELETE ON public.organisation_members FOR EACH ROW EXECUTE FUNCTION notify_member_access();
CREATE TRIGGER portal_sessions_access AFTER UPDATE OF acting_as ON public.portal_sessions FOR EACH ROW EXECUTE FUNCTION notify_session_access();
CREATE TRIGGER portal_sessions_access_deleted AFTER DELETE ON public.portal_sessions FOR EACH ROW EXECUTE FUNCTION notify_session_access();
CREATE TRIGGER users_access AFTER UPDATE OF suspended_at ON public.users FOR EACH ROW EXECUTE FUNCTION notify_account_access();
CREATE TRIGGER users_deleted BEFORE DELETE ON public.users FOR EACH ROW EXECUTE FUNCTION keep_producer_of_beats();
CREATE TRIGGER users_deleted_stream AFTER DELETE ON public.users REFERENCING OLD TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION stream_changed_rows();
CREATE TRIGGER users_inserted AFTER INSERT ON public.users REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION count_producers();
CREATE TRIGGER users_inserted_stream AFTER INSERT ON public.users REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION stream_changed_rows();
CREATE TRIGGER users_renamed AFTER UPDATE OF display_name ON public.users FOR EACH ROW WHEN ((old.display_name <> new.display_name)) EXECUTE FUNCTION notify_names();
CREATE TRIGGER users_renamed_stream AFTER UPDATE ON public.users REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION stream_renamed_users();
CREATE TRIGGER users_suspended_beats AFTER UPDATE OF suspended_at ON public.users FOR EACH ROW WHEN (((old.suspended_at IS NULL) <> (new.suspended_at IS NULL))) EXECUTE FUNCTION suspend_beats_of_user();
CREATE TRIGGER users_updated AFTER UPDATE ON public.users REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION count_producers();
CREATE TRIGGER users_updated_stream AFTER UPDATE ON public.users REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION stream_changed_rows();
CREATE TRIGGER webhook_endpoints_changed AFTER UPDATE ON public.webhook_endpoints FOR EACH ROW WHEN (((old.state <> new.state) OR ((old.failing_since IS NULL) <> (new.failing_since IS NULL)))) EXECUTE FUNCTION notify_webhook_endpoints();
CREATE TRIGGER webhook_endpoints_deleted AFTER DELETE ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION notify_webhook_endpoints();
