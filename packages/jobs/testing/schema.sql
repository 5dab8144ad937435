-- The table of this package, as a program's migrations create it.
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
