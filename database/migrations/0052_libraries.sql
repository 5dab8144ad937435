-- What was bought with an address is shown to whoever has a link that was mailed there (docs/buying.md, The link in the mail).

create table libraries (
  id bigint generated always as identity primary key,
  -- In lower case.
  email text not null unique,
  created_at timestamptz not null,
  -- Links from until then open nothing any more.
  links_ended_at timestamptz
);

-- The orders that were bought with an address.
create index checkouts_email on checkouts (email);

-- IANA names of the zones that mails write times in. That of a checkout is for somebody without an account.
alter table users add column time_zone text not null default 'UTC';
alter table checkouts add column time_zone text;
