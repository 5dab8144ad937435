-- The change stream of the catalogue: what was changed, in the order of commits (server/src/resources/changes/).

-- Changes of one statement and kind, at most 1,000 in a row, so that a bulk write costs a few rows.
create table catalogue_changes (
  id bigint generated always as identity primary key,
  -- Of the last change in the row; the one of ids[n] is position - count + n. Null until the transaction commits.
  position bigint unique,
  -- beats: published, updated, sold or withdrawn. users, genres: updated (new ones too) or renamed; only caches and indexes
  -- read those.
  subject text not null check (subject in ('beats', 'users', 'genres')),
  type text not null check (type in ('published', 'updated', 'sold', 'withdrawn', 'renamed')),
  ids bigint[] not null,
  count integer generated always as (cardinality(ids)) stored not null,
  changed_at timestamptz not null default now()
);
-- Each row takes a block of 1,000 positions, however many changes it has.
create sequence catalogue_positions increment by 1000 start with 1000 owned by catalogue_changes.position;
-- The oldest row is the horizon: a reader who has seen its position misses nothing.
insert into catalogue_changes (position, subject, type, ids) values (0, 'beats', 'updated', '{}');

-- Taken by what gives out positions and held until the commit is visible. So a position is visible only when all lower
-- ones are, however long their transactions last, and a reader passes over none.
create function lock_commit_order() returns void language sql as $$
  select pg_advisory_xact_lock(hashtext('beatmarket:commit order'))
$$;

create function add_changes(subject text, type text, changed_ids bigint[]) returns void language sql as $$
  insert into catalogue_changes (subject, type, ids)
    select $1, $2, changed_ids[first : first + 999]
    from generate_series(1, cardinality(changed_ids), 1000) as first
$$;

-- Runs at commit, when the transaction takes no other lock any more: nobody holds the lock and waits for another.
create function assign_change_position() returns trigger language plpgsql as $$
declare
  last_position bigint;
begin
  perform lock_commit_order();
  last_position := nextval('catalogue_positions');
  update catalogue_changes set position = last_position where id = new.id;
  perform pg_notify('catalogue', case new.subject when 'beats' then last_position::text else new.subject end);
  -- Beats show the names of their producer and genre. They are looked for under the lock: a beat that another transaction
  -- has not committed yet comes behind this position, and is read with the new name.
  if new.type = 'renamed' then
    perform add_changes('beats', 'updated', array(
      select id from beats
      where is_listed and (new.subject = 'users' and user_id = any (new.ids) or new.subject = 'genres' and genre_id = any (new.ids))
      order by id));
  end if;
  return null;
end $$;

create constraint trigger catalogue_changes_inserted after insert on catalogue_changes
  deferrable initially deferred for each row execute function assign_change_position();

create function stream_inserted_beats() returns trigger language plpgsql as $$
begin
  perform add_changes('beats', 'published', array(select id from became where is_listed));
  return null;
end $$;

create function stream_updated_beats() returns trigger language plpgsql as $$
begin
  perform add_changes('beats', type, array_agg(id order by id))
  from (
    select became.id,
           case when not was.is_listed then 'published' when became.is_listed then 'updated'
                when became.exclusive_state = 'sold' then 'sold' else 'withdrawn' end as type
    from was join became using (id)
    where was.is_listed or became.is_listed
  ) as changed
  group by type order by type;
  return null;
end $$;

create function stream_deleted_beats() returns trigger language plpgsql as $$
begin
  perform add_changes('beats', 'withdrawn', array(select id from was where is_listed order by id));
  return null;
end $$;

create function stream_changed_rows() returns trigger language plpgsql as $$
begin
  perform add_changes(tg_table_name::text, 'updated', array(select id from became order by id));
  return null;
end $$;

create function stream_renamed_users() returns trigger language plpgsql as $$
begin
  perform add_changes('users', 'renamed', array(
    select id from was join became using (id) where was.display_name <> became.display_name order by id));
  return null;
end $$;

create function stream_renamed_genres() returns trigger language plpgsql as $$
begin
  perform add_changes('genres', 'renamed', array(
    select id from was join became using (id) where (was.name, was.slug) <> (became.name, became.slug) order by id));
  return null;
end $$;

lock table beats, users, genres in share row exclusive mode;
create trigger beats_inserted_stream after insert on beats
  referencing new table as became for each statement execute function stream_inserted_beats();
create trigger beats_updated_stream after update on beats
  referencing old table as was new table as became for each statement execute function stream_updated_beats();
create trigger beats_deleted_stream after delete on beats
  referencing old table as was for each statement execute function stream_deleted_beats();
create trigger users_inserted_stream after insert on users
  referencing new table as became for each statement execute function stream_changed_rows();
create trigger users_updated_stream after update on users
  referencing new table as became for each statement execute function stream_changed_rows();
create trigger users_renamed_stream after update on users
  referencing old table as was new table as became for each statement execute function stream_renamed_users();
create trigger genres_inserted_stream after insert on genres
  referencing new table as became for each statement execute function stream_changed_rows();
create trigger genres_renamed_stream after update on genres
  referencing old table as was new table as became for each statement execute function stream_renamed_genres();

-- The stream's notices take the place of those that the counters sent; the counting stays as it is.
create or replace function count_inserted_beats() returns trigger language plpgsql as $$
declare
  genre_ids bigint[] := array(select distinct genre_id from became);
begin
  perform lock_genres(genre_ids);
  update genres g set beats_count = g.beats_count + d.beats
    from (select genre_id, count(*) as beats from became where is_listed group by genre_id) d
    where g.id = d.genre_id;
  insert into producer_counts as c (user_id, beats_count, play_count, popularity_key)
    select user_id, count(*) filter (where is_listed), coalesce(sum(play_count) filter (where is_listed), 0),
           coalesce(sum(popularity_key) filter (where is_listed), 0)
    from became group by user_id order by user_id
  on conflict (user_id) do update set
    beats_count = c.beats_count + excluded.beats_count,
    play_count = c.play_count + excluded.play_count,
    popularity_key = c.popularity_key + excluded.popularity_key;
  return null;
end $$;
create or replace function count_updated_beats() returns trigger language plpgsql as $$
begin
  perform lock_genres(array(select genre_id from became union select genre_id from was));
  update genres g set beats_count = g.beats_count + d.beats
    from (
      select genre_id, sum(sign) as beats
      from (select genre_id, 1 as sign from became where is_listed
            union all select genre_id, -1 from was where is_listed) s
      group by genre_id having sum(sign) <> 0
    ) d
    where g.id = d.genre_id;
  insert into producer_counts (user_id)
    select distinct user_id from became order by user_id
  on conflict do nothing;
  perform from producer_counts where user_id in (select user_id from became union select user_id from was)
    order by user_id for no key update;
  update producer_counts c set
      beats_count = c.beats_count + d.beats,
      play_count = c.play_count + d.plays,
      popularity_key = c.popularity_key + d.keys
    from (
      select user_id, sum(sign) as beats, sum(sign * play_count) as plays, sum(sign * popularity_key) as keys
      from (select user_id, play_count, popularity_key, 1 as sign from became where is_listed
            union all select user_id, play_count, popularity_key, -1 from was where is_listed) s
      group by user_id
      having sum(sign) <> 0 or sum(sign * play_count) <> 0 or sum(sign * popularity_key) <> 0
    ) d
    where c.user_id = d.user_id;
  return null;
end $$;
create or replace function count_producers() returns trigger language plpgsql as $$
begin
  insert into producer_counts (user_id)
    select id from became where is_producer order by id
  on conflict do nothing;
  return null;
end $$;
drop trigger genres_inserted on genres;
drop function notify_catalogue();
