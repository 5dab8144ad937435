-- An account asks for a higher plan of a key; an operator answers (docs/api/limits.md, Higher limits).
create table limit_requests (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  -- The person of the account who asked, and who gets the mail.
  person_id bigint not null references users (id),
  api_key_id bigint not null references api_keys (id),
  plan text not null check (plan in ('plus', 'partner')),
  -- Null once it is erased.
  reason text check (length(reason) between 1 and 2000),
  state text not null default 'open' check (state in ('open', 'granted', 'refused')),
  created_at timestamptz not null,
  -- The operator's sentence to the account; null unless refused.
  response text check (length(response) between 1 and 2000),
  answered_at timestamptz,
  check ((state = 'open') = (answered_at is null)),
  check ((state = 'refused') = (response is not null))
);
create unique index limit_requests_open on limit_requests (api_key_id) where state = 'open';
create index limit_requests_key on limit_requests (api_key_id, id);
create index limit_requests_user on limit_requests (user_id);
create index limit_requests_person on limit_requests (person_id);
create index limit_requests_created_at on limit_requests (created_at);
