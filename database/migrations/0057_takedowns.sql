-- An operator takes one beat off sale, off every list and page, and puts it back (docs/takedowns.md).

-- `is_suspended` marks beats that an operator keeps off sale, by a takedown or by a suspension: they are listed again when that ends.
alter table beats add column is_taken_down boolean not null default false check (not (is_taken_down and is_listed));
-- A suspension leaves the beats of the account on sale.
alter table users add column beats_stay_listed boolean not null default false;

create table takedowns (
  id bigint generated always as identity primary key,
  beat_id bigint not null references beats (id) on delete cascade,
  -- For the producer, and for buyers whose files are withdrawn.
  reason text not null,
  withdraws_files boolean not null,
  taken_down_at timestamptz not null,
  -- What the producer says to it; null as long as nothing is said, and once the account is erased.
  answer text check (length(answer) between 1 and 2000),
  answered_at timestamptz,
  restored_at timestamptz,
  check (answer is null or answered_at is not null)
);
create unique index takedowns_current on takedowns (beat_id) where restored_at is null;
create index takedowns_beat on takedowns (beat_id, id);

create or replace function suspend_listed_beat() returns trigger language plpgsql as $$
declare
  keeps_off_sale boolean;
begin
  select suspended_at is not null and not beats_stay_listed into keeps_off_sale from users where id = new.user_id for share;
  new.is_suspended := new.is_taken_down or coalesce(keeps_off_sale, false);
  new.is_listed := not new.is_suspended;
  return new;
end $$;

create or replace function suspend_inserted_beats() returns trigger language plpgsql as $$
begin
  if exists (select from users where suspended_at is not null and not beats_stay_listed) then
    update beats set is_listed = false, is_suspended = true
    where id in (
      select id from became
      where is_listed and user_id in (select id from users where suspended_at is not null and not beats_stay_listed));
  end if;
  return null;
end $$;

create or replace function suspend_beats_of_user() returns trigger language plpgsql as $$
begin
  if new.suspended_at is null then
    update beats set is_listed = exclusive_state <> 'sold', is_suspended = false, updated_at = date_trunc('second', now())
    where user_id = new.id and is_suspended;
  elsif not new.beats_stay_listed then
    update beats set is_listed = false, is_suspended = true, updated_at = date_trunc('second', now())
    where user_id = new.id and is_listed;
  end if;
  return null;
end $$;

-- A sold beat is in no list. Its takedown reaches mirrors all the same, since its page was everybody's.
create or replace function stream_updated_beats() returns trigger language plpgsql as $$
begin
  perform add_changes('beats', type, array_agg(id order by id))
  from (
    select became.id,
           case when became.is_listed then case when was.is_listed then 'updated' else 'published' end
                when became.exclusive_state = 'sold' and not became.is_taken_down then 'sold' else 'withdrawn' end as type
    from was join became using (id)
    where was.is_listed or became.is_listed
      or (was.exclusive_state = 'sold' and became.exclusive_state = 'sold' and was.is_taken_down <> became.is_taken_down)
  ) as changed
  group by type order by type;
  return null;
end $$;

-- Public pages are kept for half a minute. A takedown ends that on every instance.
create function notify_takedowns() returns trigger language plpgsql as $$
begin
  notify catalogue, 'takedowns';
  return null;
end $$;
create trigger beats_taken_down after update of is_taken_down on beats
  for each row when (old.is_taken_down <> new.is_taken_down) execute function notify_takedowns();
