-- Final orders that no total contains yet. A mark in the order itself writes its row, and its entry in each of 16 indexes, once more.
create table orders_to_tally (
  order_id bigint primary key references orders (id),
  user_id bigint not null,
  producer_id bigint not null,
  beat_id bigint not null,
  status text not null check (status in ('completed', 'failed')),
  completed_at timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index orders_to_tally_user on orders_to_tally (user_id);
create index orders_to_tally_producer on orders_to_tally (producer_id);
-- `orders.tallied` is now set by the statement that queues the order. An older instance still sets it when it tallies an order, and
-- only then the trigger counts the sale.
create or replace trigger orders_count_sales after update of tallied on orders for each row
  when (old.status <> 'pending' and new.tallied and not old.tallied and new.completed_at is not null)
  execute function count_tallied_sale();
