-- When a beat is published by itself. It stays set until it is published, or its producer was told why it is not.

alter table beat_productions add column publish_at timestamptz;

create index beat_productions_publish_at on beat_productions (publish_at) where publish_at is not null;
