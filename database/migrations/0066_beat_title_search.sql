-- Operators search parts of titles and names. The extension is one of PostgreSQL's own and trusted: the owner of the database creates it.
create extension if not exists pg_trgm;
create index beats_title_parts on beats using gin (title gin_trgm_ops);
