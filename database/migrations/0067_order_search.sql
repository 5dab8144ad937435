create index orders_title_parts on orders using gin (title gin_trgm_ops);
create index orders_producer_name_parts on orders using gin (producer_name gin_trgm_ops);
