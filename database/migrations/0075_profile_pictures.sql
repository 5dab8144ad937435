-- The picture that an account has uploaded for its profile, while it is the one of the profile.
create table profile_pictures (
  user_id bigint primary key references users (id) on delete cascade,
  sha256 text not null references stored_objects (sha256),
  bytes bigint not null check (bytes >= 0),
  created_at timestamptz not null
);
create index profile_pictures_object on profile_pictures (sha256);

-- Addresses of an account elsewhere, which its public page names.
alter table users add column links text[] not null default '{}' check (cardinality(links) <= 8);
