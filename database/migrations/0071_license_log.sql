-- The license log: what was licensed, refunded, taken down and returned to sale, in the order of commits (docs/license-log.md).

create table license_log (
  -- Of the leaf, from 0 and without a gap.
  index bigint primary key,
  kind text not null check (kind in ('sold', 'refunded', 'reinstated', 'returned', 'taken_down', 'restored', 'lost')),
  beat_id bigint,
  order_id bigint,
  at timestamptz not null,
  -- Of the commitment; random.
  salt bytea not null,
  -- The leaf as it was published, where the facts behind it are lost: the database was restored to an earlier moment.
  entry bytea
);
create index license_log_order on license_log (order_id) where order_id is not null;
create index license_log_sold on license_log (beat_id) where kind = 'sold';

-- What the checkpoint of the log's files said when it was written last. One row.
create table license_log_published (
  origin text not null,
  size bigint not null
);
create unique index license_log_published_once on license_log_published ((true));

-- One key signs checkpoints, and stays. The others sign certificates.
alter table signing_keys add column purpose text not null default 'certificates' check (purpose in ('certificates', 'license log'));

-- Runs at commit, under the lock that orders commits (migration 0024): a leaf is visible only when all before it are.
create function add_leaf(kind text, beat_id bigint, order_id bigint, at timestamptz) returns void language plpgsql as $$
declare
  last record;
begin
  perform lock_commit_order();
  select l.index, l.at into last from license_log l order by l.index desc limit 1;
  insert into license_log (index, kind, beat_id, order_id, at, salt)
    values (coalesce(last.index + 1, 0), kind, beat_id, order_id, greatest(last.at, date_trunc('second', at)),
            sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
end $$;

create function log_completed_order() returns trigger language plpgsql as $$
begin
  perform add_leaf('sold', new.beat_id, new.id, coalesce(new.completed_at, now()));
  return null;
end $$;
create constraint trigger orders_completed_leaf after update on orders deferrable initially deferred
  for each row when (old.status <> 'completed' and new.status = 'completed') execute function log_completed_order();
create constraint trigger orders_inserted_leaf after insert on orders deferrable initially deferred
  for each row when (new.status = 'completed') execute function log_completed_order();

create function is_full_refund(refunded_at timestamptz, refunded_cents bigint, amount_cents bigint) returns boolean
language sql immutable as $$ select refunded_at is not null and refunded_cents = amount_cents $$;

create function log_refund() returns trigger language plpgsql as $$
begin
  if is_full_refund(new.refunded_at, new.refunded_cents, new.amount_cents) then
    perform add_leaf('refunded', new.beat_id, new.id, new.refunded_at);
  else
    perform add_leaf('reinstated', new.beat_id, new.id, now());
  end if;
  return null;
end $$;
create constraint trigger orders_refunded_leaf after update of refunded_cents, refunded_at on orders deferrable initially deferred
  for each row when (new.status = 'completed'
    and is_full_refund(old.refunded_at, old.refunded_cents, old.amount_cents)
      <> is_full_refund(new.refunded_at, new.refunded_cents, new.amount_cents)) execute function log_refund();

create function log_beat() returns trigger language plpgsql as $$
begin
  if old.is_taken_down <> new.is_taken_down then
    perform add_leaf(case when new.is_taken_down then 'taken_down' else 'restored' end, new.id, null, new.updated_at);
  else
    perform add_leaf('returned', new.id, null, now());
  end if;
  return null;
end $$;
create constraint trigger beats_logged after update of is_taken_down, exclusive_state on beats deferrable initially deferred
  for each row when (old.is_taken_down <> new.is_taken_down or (old.exclusive_state = 'sold' and new.exclusive_state <> 'sold'))
  execute function log_beat();

-- What was there before the log: the sales, then the refunds and takedowns that stand.
insert into license_log (index, kind, beat_id, order_id, at, salt)
  select row_number() over (order by at, place, id) - 1, kind, beat_id, order_id,
         date_trunc('second', at), sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
  from (
    select 'sold' as kind, 1 as place, id, beat_id, id as order_id, coalesce(completed_at, created_at) as at
    from orders where status = 'completed'
    union all
    select 'returned', 2, id, beat_id, null, refunded_at from orders
    where status = 'completed' and license_type = 'exclusive' and is_full_refund(refunded_at, refunded_cents, amount_cents)
    union all
    select 'refunded', 3, id, beat_id, id, refunded_at from orders
    where status = 'completed' and is_full_refund(refunded_at, refunded_cents, amount_cents)
    union all
    select 'taken_down', 4, id, beat_id, null, taken_down_at from takedowns where restored_at is null
  ) as facts;
