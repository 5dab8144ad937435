-- contracts: needs 0028
-- What the catalogue index makes needless (docs/operating.md, What grows): the words that search kept in the database, and the
-- orders and counts that lists read. Nothing of this release reads or writes them.

lock table beats, users in access exclusive mode;

drop trigger beats_inserted_search on beats;
drop trigger beats_updated_search on beats;
drop trigger beats_deleted_search on beats;
drop function search_inserted_beats();
drop function search_updated_beats();
drop function search_deleted_beats();
drop function has_search_totals();
drop function found_by_kept_words(tsvector[]);
drop function merge_word_list(text);
drop table search_words, search_totals, search_uncounted;

drop trigger beats_inserted_genre_producers on beats;
drop trigger beats_updated_genre_producers on beats;
drop function count_inserted_genre_producers();
drop function count_updated_genre_producers();
drop table genre_producer_counts;

-- With their columns go the GIN indexes beats_search and users_search.
alter table beats drop column search;
alter table users drop column search;

drop index beats_genre_key_tempo, beats_key_tempo, beats_genre_newest, beats_genre_popular, beats_genre_price, beats_newest,
  beats_popular, beats_price, beats_user_newest;
