-- Dated versions of the API (docs/api/versioning.md). The version of an account: that of its first call.
create table account_versions (
  user_id bigint primary key references users (id) on delete cascade,
  -- Such as 2026-11-20.
  version text not null,
  pinned_at timestamptz not null
);
-- Every account that could call before has the first version.
insert into account_versions (user_id, version, pinned_at) select distinct user_id, '2026-11-20', now() from api_keys;

-- Null: the account's version.
alter table api_keys add column api_version text;
-- Of the bodies that are sent to it.
alter table webhook_endpoints add column api_version text not null default '2026-11-20';
