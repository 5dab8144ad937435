-- The tables of this package, as a program's migrations create them, and the part of `users` that it reads.
CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  suspended_at timestamp with time zone
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

CREATE OR REPLACE FUNCTION public.notify_webhook_endpoints()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  notify webhook_endpoints;
  return null;
end $function$;
CREATE TRIGGER webhook_endpoints_changed AFTER UPDATE ON public.webhook_endpoints FOR EACH ROW WHEN (((old.state <> new.state) OR ((old.failing_since IS NULL) <> (new.failing_since IS NULL)))) EXECUTE FUNCTION notify_webhook_endpoints();
CREATE TRIGGER webhook_endpoints_deleted AFTER DELETE ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION notify_webhook_endpoints();
