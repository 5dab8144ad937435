-- Organisations: accounts without an address of their own, which their members act as (docs/organisations.md).

alter table users
  add column organisation boolean not null default false,
  add check (not organisation or email is null);
create index users_organisations on users (lower(display_name) text_pattern_ops) where organisation;

create table organisation_members (
  organisation_id bigint not null references users (id),
  -- The person.
  user_id bigint not null references users (id),
  role text not null check (role in ('owner', 'developer', 'billing', 'viewer')),
  created_at timestamptz not null,
  primary key (organisation_id, user_id)
);
create index organisation_members_user on organisation_members (user_id);

-- They stay for 30 days after they ended, so that the page of an old link says why it opens nothing.
create table organisation_invitations (
  id bigint generated always as identity primary key,
  organisation_id bigint not null references users (id),
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'developer', 'billing', 'viewer')),
  token_sha256 bytea not null unique check (length(token_sha256) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  check (accepted_at is null or revoked_at is null)
);
create unique index organisation_invitations_open on organisation_invitations (organisation_id, email)
  where accepted_at is null and revoked_at is null;
create index organisation_invitations_email on organisation_invitations (email);
create index organisation_invitations_expiry on organisation_invitations (expires_at);

-- The organisation that the person of a session acts as; null for their own account.
alter table portal_sessions add column acting_as bigint references users (id);

-- The person who acted as an organisation; null where it was the account itself, or the operator.
alter table audit_entries add column person_id bigint references users (id);
create index audit_entries_person on audit_entries (person_id) where person_id is not null;

-- Whose view it is, of an organisation's log; null for the account's own person.
alter table saved_views add column person_id bigint references users (id) on delete cascade;
drop index saved_views_name;
create unique index saved_views_name on saved_views (user_id, coalesce(person_id, user_id), lower(name));
create index saved_views_person on saved_views (person_id) where person_id is not null;
