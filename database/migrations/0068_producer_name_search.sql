create index users_producer_name_parts on users using gin (display_name gin_trgm_ops) where is_producer;
