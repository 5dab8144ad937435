-- Null until the reader's browser says it. A column that nothing wrote is dropped and added, so that no row is rewritten.
alter table users drop column time_zone;
alter table users add column time_zone text;
