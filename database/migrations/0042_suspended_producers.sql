-- A beat that would be on sale if its producer were not suspended. It is off sale like a withdrawn one, and comes back when the
-- suspension ends, unless it was withdrawn since.
alter table beats add column is_suspended boolean not null default false;

-- Whoever puts a beat on sale: a publishing that was under way, a refunded exclusive license, a command, an older instance. The lock
-- makes it wait for a suspension that is being written.
create function suspend_listed_beat() returns trigger language plpgsql as $$
declare
  since timestamptz;
begin
  select suspended_at into since from users where id = new.user_id for share;
  new.is_listed := since is null;
  new.is_suspended := since is not null;
  return new;
end $$;
create trigger beats_listed before update of is_listed, user_id on beats for each row
  when (new.is_listed and (not old.is_listed or new.user_id <> old.user_id))
  execute function suspend_listed_beat();

create function suspend_inserted_beats() returns trigger language plpgsql as $$
begin
  if exists (select from users where suspended_at is not null) then
    update beats set is_listed = false, is_suspended = true
    where id in (
      select id from became
      where is_listed and user_id in (select id from users where suspended_at is not null));
  end if;
  return null;
end $$;
create trigger beats_inserted_suspended after insert on beats referencing new table as became
  for each statement execute function suspend_inserted_beats();

create function suspend_beats_of_user() returns trigger language plpgsql as $$
begin
  if new.suspended_at is not null then
    update beats set is_listed = false, is_suspended = true, updated_at = date_trunc('second', now())
    where user_id = new.id and is_listed;
  else
    update beats set is_listed = exclusive_state <> 'sold', is_suspended = false, updated_at = date_trunc('second', now())
    where user_id = new.id and is_suspended;
  end if;
  return null;
end $$;
create trigger users_suspended_beats after update of suspended_at on users for each row
  when ((old.suspended_at is null) <> (new.suspended_at is null))
  execute function suspend_beats_of_user();
