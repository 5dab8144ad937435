-- Orders that are inserted as completed are logged together, at the commit: one look at the end of the log for all of them.
create table license_log_batches (
  id bigint generated always as identity primary key,
  order_ids bigint[] not null
);
create function batch_completed_orders() returns trigger language plpgsql as $$
begin
  insert into license_log_batches (order_ids)
    select array_agg(id order by id) from became where status = 'completed' having count(*) > 0;
  return null;
end $$;
create trigger orders_inserted_leaves after insert on orders
  referencing new table as became for each statement execute function batch_completed_orders();
drop trigger orders_inserted_leaf on orders;

create function log_completed_orders() returns trigger language plpgsql as $$
declare
  last record;
begin
  perform lock_commit_order();
  select l.index, l.at into last from license_log l order by l.index desc limit 1;
  insert into license_log (index, kind, beat_id, order_id, at, salt)
    select coalesce(last.index + 1, 0) + place - 1, 'sold', beat_id, id, greatest(last.at, max(second) over (order by place)),
           sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
    from (
      select place, id, beat_id, date_trunc('second', coalesce(completed_at, now())) as second
      from unnest(new.order_ids) with ordinality as batched (id, place) join orders using (id)
    ) as sold
    order by place;
  delete from license_log_batches where id = new.id;
  return null;
end $$;
create constraint trigger license_log_batches_inserted after insert on license_log_batches
  deferrable initially deferred for each row execute function log_completed_orders();
