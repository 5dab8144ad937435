-- How many listed beats a producer has of a genre: a list filtered by both tells its total without counting rows.
create table genre_producer_counts (
  -- No foreign keys: a beat's own are checked where it is written.
  user_id bigint not null,
  genre_id bigint not null,
  beats_count bigint not null,
  primary key (user_id, genre_id)
);

-- Adds what a statement's rows became and takes away what they were, as 0001 does for genres and producers. Rows are
-- locked in key order there, too; one that comes to 0 stays.
create function count_inserted_genre_producers() returns trigger language plpgsql as $$
begin
  insert into genre_producer_counts as c (user_id, genre_id, beats_count)
    select user_id, genre_id, count(*) from became where is_listed
    group by user_id, genre_id order by user_id, genre_id
  on conflict (user_id, genre_id) do update set beats_count = c.beats_count + excluded.beats_count;
  return null;
end $$;

create function count_updated_genre_producers() returns trigger language plpgsql as $$
begin
  insert into genre_producer_counts as c (user_id, genre_id, beats_count)
    select user_id, genre_id, sum(sign)
    from (select user_id, genre_id, 1 as sign from became where is_listed
          union all select user_id, genre_id, -1 from was where is_listed) s
    group by user_id, genre_id having sum(sign) <> 0 order by user_id, genre_id
  on conflict (user_id, genre_id) do update set beats_count = c.beats_count + excluded.beats_count;
  return null;
end $$;

-- Whoever writes meanwhile waits, so that every beat is counted once: here, or by the triggers.
lock table beats in share row exclusive mode;
create trigger beats_inserted_genre_producers after insert on beats
  referencing new table as became for each statement execute function count_inserted_genre_producers();
create trigger beats_updated_genre_producers after update on beats
  referencing old table as was new table as became for each statement execute function count_updated_genre_producers();
insert into genre_producer_counts
  select user_id, genre_id, count(*) from beats where is_listed group by user_id, genre_id;
