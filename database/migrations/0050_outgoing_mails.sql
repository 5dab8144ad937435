-- Mails about money, written in the transaction of the fact and sent afterwards (docs/mails.md).

create table outgoing_mails (
  id uuid primary key,
  -- Whose mail it is; null for an operator's.
  user_id bigint references users (id),
  recipient text not null,
  template text not null,
  -- What the template fills in.
  facts jsonb not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  leased_until timestamptz,
  sent_at timestamptz,
  -- When the last attempt failed for good.
  failed_at timestamptz,
  last_error text,
  check (sent_at is null or failed_at is null)
);
create index outgoing_mails_due on outgoing_mails (due_at) where sent_at is null and failed_at is null;
create index outgoing_mails_user_id on outgoing_mails (user_id);

-- Mails that are not a must: about each sale.
alter table users add column sale_mails boolean not null default true;
