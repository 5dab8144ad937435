-- The tables of this package, as a program's migrations create them, and the part of `api_keys` that it reads.
CREATE TABLE api_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  ends_with text NOT NULL
);

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
