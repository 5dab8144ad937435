-- Named filters of the request log, which follow the person from browser to browser.
create table saved_views (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  -- The query string of the page's address.
  query text not null check (length(query) between 1 and 2000),
  created_at timestamptz not null
);
create unique index saved_views_name on saved_views (user_id, lower(name));
