-- The sites that may show players of a producer's beats in a frame. Empty: all.

alter table users add column embed_origins text[] not null default '{}' check (cardinality(embed_origins) <= 20);
