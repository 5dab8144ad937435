-- Buckets as destinations of events (docs/buckets.md): their deliveries are written in batches, an object each.

alter table webhook_endpoints drop constraint webhook_endpoints_kind_check;
alter table webhook_endpoints add constraint webhook_endpoints_kind_check check (kind in ('http', 'inbox', 'listen', 's3'));
-- What signs the requests to the bucket. The secret is sealed (server/src/resources/secrets/secret-box.ts).
alter table webhook_endpoints add column access_key_id text;
alter table webhook_endpoints add column secret_access_key text;
alter table webhook_endpoints add constraint webhook_endpoints_access_key check (
  (kind = 's3') = (access_key_id is not null) and (kind = 's3') = (secret_access_key is not null));
-- A claim asks each bucket for its first due delivery.
create index webhook_endpoints_buckets on webhook_endpoints (id) where kind = 's3';
