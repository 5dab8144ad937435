-- How many listed beats a word finds, for words that find many: counting them anew takes longer the more there are
-- (server/src/resources/search/totals.ts).
create table search_totals (
  -- As typed, folded; it finds beats with a word that begins so, or a title that is this when written together.
  word text primary key,
  beats_count integer not null
);

-- Beats that the totals do not count as they are: made, sold or renamed since. At most a second's worth, but for imports.
create table search_uncounted (
  beat_id bigint primary key,
  -- What the totals count the beat as; null when they do not count it.
  counted tsvector
);

-- Whether a change must be remembered. While no totals are kept nothing need be; the lock keeps the first ones from
-- being made beside a change that thought so.
create function has_search_totals() returns boolean language plpgsql as $$
begin
  lock table search_totals in row exclusive mode;
  return exists (select from search_totals);
end $$;

-- The row that is there already is written all the same: whoever counts a beat passes over one that is being changed.
create function search_inserted_beats() returns trigger language plpgsql as $$
begin
  if has_search_totals() then
    insert into search_uncounted (beat_id) select id from became where is_listed order by id;
  end if;
  return null;
end $$;

create function search_updated_beats() returns trigger language plpgsql as $$
begin
  if has_search_totals() then
    insert into search_uncounted as u (beat_id, counted)
      select id, case when was.is_listed then was.search end
      from was join became using (id)
      where was.is_listed <> became.is_listed or was.search <> became.search
      order by id
    on conflict (beat_id) do update set counted = u.counted;
  end if;
  return null;
end $$;

create function search_deleted_beats() returns trigger language plpgsql as $$
begin
  if has_search_totals() then
    insert into search_uncounted as u (beat_id, counted) select id, search from was where is_listed order by id
    on conflict (beat_id) do update set counted = u.counted;
  end if;
  return null;
end $$;

create trigger beats_inserted_search after insert on beats
  referencing new table as became for each statement execute function search_inserted_beats();
create trigger beats_updated_search after update on beats
  referencing old table as was new table as became for each statement execute function search_updated_beats();
create trigger beats_deleted_search after delete on beats
  referencing old table as was for each statement execute function search_deleted_beats();
