-- The sandboxes of accounts, each with a database of its own (docs/api/sandboxes.md).
create table sandboxes (
  -- 16 characters, also in the keys and addresses of the sandbox.
  id text primary key,
  user_id bigint not null references users (id),
  -- test: the test half of the account, in real time. sandbox: with a time of its own.
  kind text not null check (kind in ('test', 'sandbox')),
  seed text not null,
  catalogue text not null,
  created_at timestamptz not null,
  -- When a request last reached it, to the minute.
  used_at timestamptz not null,
  -- Set while its database is deleted.
  deleted_at timestamptz
);
create unique index sandboxes_test_half on sandboxes (user_id) where kind = 'test' and deleted_at is null;
create index sandboxes_by_user on sandboxes (user_id, created_at);
