-- A function keeps the plan of its first call, which is often for the update of one beat. That plan was a nested loop over the old
-- and new rows, so that an update of 2,000 beats, such as of their download counts, compared millions of pairs. Neither
-- EXCEPT nor a full join is ever a nested loop.
create or replace function count_updated_beats() returns trigger language plpgsql as $$
begin
  perform require_producers(array(
    select distinct user_id from (
      select id, user_id from became where not is_listed except select id, user_id from was) as moved));
  perform lock_genres(array(
    select distinct genre_id from (select id, genre_id from became except select id, genre_id from was) as moved));
  perform add_to_genres(array_agg(genre_id), array_agg(beats))
    from (
      select genre_id, sum(sign)::bigint as beats
      from (select genre_id, 1 as sign from became where is_listed
            union all select genre_id, -1 from was where is_listed) s
      group by genre_id having sum(sign) <> 0
    ) d
    having count(*) > 0;
  insert into producer_counts (user_id)
    select distinct user_id from became where is_listed order by user_id
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

create or replace function stream_updated_beats() returns trigger language plpgsql as $$
begin
  perform add_changes('beats', type, array_agg(id order by id))
  from (
    select id,
           case when became.is_listed then case when was.is_listed then 'updated' else 'published' end
                when became.exclusive_state = 'sold' and not became.is_taken_down then 'sold' else 'withdrawn' end as type
    from was full join became using (id)
    where was.is_listed or became.is_listed
      or (was.exclusive_state = 'sold' and became.exclusive_state = 'sold' and was.is_taken_down <> became.is_taken_down)
  ) as changed
  group by type order by type;
  return null;
end $$;
