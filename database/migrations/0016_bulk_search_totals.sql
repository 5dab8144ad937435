-- Beats that are made by the hundred, as an import does, are put into the totals of common words at once. Noted one by one
-- they would be more than a search can look at, for as long as the import lasts.

-- How many of the given texts each kept word finds: a text is found by whatever its words begin with, and by what it is
-- as a whole, which is noted with an equals sign (server/src/search-words.ts). Imports and the counting job keep PostgreSQL
-- from such plans for their other statements.
create function found_by_kept_words(texts tsvector[]) returns table (word text, beats bigint)
language sql stable set enable_hashjoin = on set enable_seqscan = on as $$
  with lexemes as materialized (
    select place, unnest(tsvector_to_array(text)) as lexeme from unnest(texts) with ordinality as given (text, place)
  ),
  words as (
    select lexeme, totals.word
    from (select distinct lexeme from lexemes) as distinct_lexemes
      cross join generate_series(1, case when lexeme ^@ '=' then 1 else length(lexeme) end) as size
      join search_totals as totals
        on totals.word = case when lexeme ^@ '=' then substr(lexeme, 2) else left(lexeme, size) end
  )
  select words.word, count(distinct place) from lexemes join words using (lexeme) group by words.word
$$;

-- The lock is that of whoever counts (server/src/resources/search/totals.ts): a word that is being learnt meanwhile is
-- seen by the update, which begins behind it. A transaction that sees all as of its own beginning could not see it.
create or replace function search_inserted_beats() returns trigger language plpgsql as $$
begin
  if not has_search_totals() then return null; end if;
  if (select count(*) > 100 from became) and current_setting('transaction_isolation') = 'read committed' then
    lock table search_uncounted in share update exclusive mode;
    update search_totals as totals set beats_count = beats_count + finds.beats
      from found_by_kept_words(array(select search from became where is_listed)) as finds
      where totals.word = finds.word;
  else
    insert into search_uncounted (beat_id) select id from became where is_listed order by id;
  end if;
  return null;
end $$;
