-- A comma divides tags where beats are filtered, so that a tag with one was found by no filter. What it divides are tags of
-- their own now.
update beats set tags = array(
  select tag from (
    select distinct on (lower(tag)) tag, place, part
    from unnest(beats.tags) with ordinality as given (written, place),
      string_to_table(given.written, ',') with ordinality as parts (raw, part),
      lateral btrim(raw) as tag
    where tag <> ''
    order by lower(tag), place, part) as first_of_each
  order by place, part)
where array_to_string(tags, '') like '%,%';
