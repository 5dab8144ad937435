-- Orders that replace a license: upgrades, and renewals of the same type (docs/clauses.md, Upgrades).
alter table orders add column upgrades_license uuid references licenses (id);
create index orders_upgrades on orders (upgrades_license) where upgrades_license is not null;

-- The license that an order replaces belongs to what it is of.
create or replace function guard_order() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending'
    and (new.status, new.failure_reason, new.completed_at)
      is distinct from (old.status, old.failure_reason, old.completed_at)
  then
    raise exception 'order % is %, which is final', old.id, old.status using errcode = 'check_violation';
  end if;
  if (new.id, new.user_id, new.beat_id, new.title, new.producer_id, new.producer_name, new.license_type, new.upgrades_license,
      new.amount_cents, new.currency, new.payment_method, new.payment_provider, new.payment_key, new.created_at)
    is distinct from
     (old.id, old.user_id, old.beat_id, old.title, old.producer_id, old.producer_name, old.license_type, old.upgrades_license,
      old.amount_cents, old.currency, old.payment_method, old.payment_provider, old.payment_key, old.created_at)
  then
    raise exception 'what order % is of never changes', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
