-- Claims of imported producers by the owner of a mailbox (docs/operating.md, Imported producers).

-- Whose the beats of a producer are since it was claimed, where the account existed already; imports follow it.
alter table users
  add column joined_user_id bigint references users (id),
  add check (joined_user_id is null or email is null);
create index users_joined on users (id) where joined_user_id is not null;

create table producer_claims (
  id bigint generated always as identity primary key,
  producer_id bigint not null references users (id) on delete cascade,
  email text not null check (email = lower(email)),
  token_sha256 bytea not null unique check (length(token_sha256) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  proven_at timestamptz,
  -- The account that the producer belongs to since then.
  user_id bigint references users (id),
  check ((proven_at is null) = (user_id is null))
);
create index producer_claims_producer on producer_claims (producer_id);
create index producer_claims_expired on producer_claims (expires_at) where proven_at is null;

-- Who is no producer any more leaves the list by popularity, too.
create or replace function count_producers() returns trigger language plpgsql as $$
begin
  insert into producer_counts (user_id)
    select id from became where is_producer order by id
  on conflict do nothing;
  delete from producer_counts
    where beats_count = 0 and user_id in (select id from became where not is_producer);
  return null;
end $$;
