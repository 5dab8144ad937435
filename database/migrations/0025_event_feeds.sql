-- The feeds of events: what each account may read of them, in the order of commits (server/src/resources/events/).

-- 0: everybody's; -1: that of accounts flagged marketplace; otherwise one account's own, beside that of everybody.
create table event_feeds (
  feed bigint not null,
  type text not null,
  -- The position of the newest event that was deleted: who has read up to here misses nothing.
  horizon bigint not null default 0,
  primary key (feed, type)
);
-- By type as well, so that a rare one is found behind a million others.
create table event_feed_entries (
  feed bigint not null,
  type text not null,
  -- One event has the same position in all its feeds.
  position bigint not null,
  event_id text not null
);
create sequence event_positions;

-- docs/api/events.md, Who receives an event.
create function feeds_of(audience bigint[]) returns setof bigint language sql immutable as $$
  select 0 where audience is null
  union select unnest(audience)
  union select -1 where audience <> '{}'
$$;

-- The events of one statement, from then until the transaction commits: an import's thousands are placed at one go.
create table event_batches (
  id bigint generated always as identity primary key,
  event_ids text[] not null
);

create function batch_events() returns trigger language plpgsql as $$
begin
  insert into event_batches (event_ids) select array_agg(id order by id) from became having count(*) > 0;
  return null;
end $$;

-- Runs at commit, under the lock that orders commits (migration 0024): a position is visible only when all lower ones are.
create function feed_events() returns trigger language plpgsql as $$
declare
  notices bigint;
begin
  perform lock_commit_order();
  with placed as (
    select nextval('event_positions') as position, id, type, audience
    from (
      select id, type, audience from unnest(new.event_ids) with ordinality as batched (id, place) join events using (id)
      order by place
    ) as batch
  ), entries as (
    insert into event_feed_entries (feed, type, position, event_id)
      select feed, type, position, id from placed cross join lateral feeds_of(audience) as feed
    returning feed, type
  ), fed as (
    select distinct feed, type from entries
  ), known as (
    insert into event_feeds (feed, type) select feed, type from fed on conflict do nothing
  )
  select count(pg_notify('events', feed || ' ' || type)) into notices from fed;
  delete from event_batches where id = new.id;
  return null;
end $$;

-- By trigger, so that the retention of instances of the release before takes the entries with it too.
create function unfeed_events() returns trigger language plpgsql as $$
begin
  with gone as (delete from event_feed_entries where event_id in (select id from was) returning feed, type, position)
  update event_feeds
    set horizon = greatest(horizon, newest.position)
    from (select feed, type, max(position) as position from gone group by feed, type) as newest
    where (event_feeds.feed, event_feeds.type) = (newest.feed, newest.type);
  return null;
end $$;

create trigger events_inserted_feed after insert on events
  referencing new table as became for each statement execute function batch_events();
create constraint trigger event_batches_inserted after insert on event_batches
  deferrable initially deferred for each row execute function feed_events();
create trigger events_deleted_feed after delete on events
  referencing old table as was for each statement execute function unfeed_events();

-- The events that are there already. The triggers' lock holds up new ones until the migration is through.
with placed as (
  select row_number() over (order by created_at, id) as position, type, id, audience from events
)
insert into event_feed_entries (feed, type, position, event_id)
  select feed, type, position, id from placed cross join lateral feeds_of(audience) as feed;
insert into event_feeds (feed, type) select distinct feed, type from event_feed_entries;
select setval('event_positions', max(position)) from event_feed_entries having max(position) is not null;
alter table event_feed_entries add primary key (feed, type, position);
create index event_feed_entries_event on event_feed_entries (event_id);
