-- What deleting the beats of an import needs (server/src/resources/beats/write/sources.ts).

-- Whether orders refer to a beat or its producer; PostgreSQL asks it for each one that is deleted.
create index orders_beat on orders (beat_id);
create index orders_producer on orders (producer_id);

-- Producers and genres go with their last beat: caches and indexes that hold them look them up again, and find nothing.
create trigger users_deleted_stream after delete on users
  referencing old table as became for each statement execute function stream_changed_rows();
create trigger genres_deleted_stream after delete on genres
  referencing old table as became for each statement execute function stream_changed_rows();

-- A producer without beats takes the counts along. The counts' row makes beats that are being added wait, or is waited for.
create index beats_user on beats (user_id);
create function keep_producer_of_beats() returns trigger language plpgsql as $$
begin
  delete from producer_counts where user_id = old.id and beats_count = 0;
  if exists (select from beats where user_id = old.id) then
    raise foreign_key_violation using message = format('user %s still has beats', old.id);
  end if;
  return old;
end $$;
create trigger users_deleted before delete on users for each row execute function keep_producer_of_beats();
