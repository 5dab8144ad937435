-- Writers of beats of one genre queue for its row only where its number of beats changes. An update that changes no genre
-- locks none: the beat itself keeps its genre from being deleted.

-- Refuses genres that do not exist, and keeps these from being deleted. Those who only ask this do not wait for one another.
create or replace function lock_genres(genre_ids bigint[]) returns void language plpgsql as $$
declare
  found_count integer;
begin
  perform from genres where id = any (genre_ids) order by id for key share;
  get diagnostics found_count = row_count;
  if found_count < cardinality(genre_ids) then
    raise foreign_key_violation using message = 'a beat refers to a genre that does not exist';
  end if;
end $$;

-- Adds to the numbers of beats of genres, in the order of their ids, so that no two writers wait for each other.
create function add_to_genres(genre_ids bigint[], beats bigint[]) returns void language plpgsql as $$
begin
  perform from genres where id = any (genre_ids) order by id for no key update;
  update genres g set beats_count = g.beats_count + d.beats
    from unnest(genre_ids, beats) as d (genre_id, beats)
    where g.id = d.genre_id;
end $$;

create or replace function count_inserted_beats() returns trigger language plpgsql as $$
begin
  perform lock_genres(array(select distinct genre_id from became));
  perform add_to_genres(array_agg(genre_id), array_agg(beats))
    from (select genre_id, count(*) as beats from became where is_listed group by genre_id) d
    having count(*) > 0;
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
  perform lock_genres(array(
    select distinct became.genre_id from became join was using (id) where became.genre_id <> was.genre_id));
  perform add_to_genres(array_agg(genre_id), array_agg(beats))
    from (
      select genre_id, sum(sign)::bigint as beats
      from (select genre_id, 1 as sign from became where is_listed
            union all select genre_id, -1 from was where is_listed) s
      group by genre_id having sum(sign) <> 0
    ) d
    having count(*) > 0;
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
