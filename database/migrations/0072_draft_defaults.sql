-- What the drafts that a producer makes from now on begin with, beside their licenses. Null: nothing.

alter table license_defaults
  add column price_cents integer check (price_cents >= 0),
  -- Null follows from price_cents.
  add column premium_price_cents integer check (premium_price_cents >= 0),
  add column unlimited_price_cents integer check (unlimited_price_cents > 0),
  add column exclusive_price_cents integer check (exclusive_price_cents > 0),
  add column genre_id bigint references genres (id) on delete set null,
  add column tags text[] not null default '{}',
  -- `default`, `none`, or the id of an upload, which is used by it.
  add column preview_tag text not null default 'default';
