-- PostgreSQL lets only an index's owner merge its pending list, and the role that imports owns nothing.
create function merge_word_list(index_name text) returns bigint
language sql security definer set search_path = pg_catalog, public, pg_temp
as $$ select gin_clean_pending_list(index_name::regclass) $$;
