-- Who made an API key, what replaced it, and a permission of its own for sales (docs/api/authentication.md, Permissions).

alter table api_keys
  -- The person; null where an operator's command made it.
  add column created_by bigint references users (id),
  -- The key that a rotation made in its place.
  add column replaced_by bigint references api_keys (id);
create index api_keys_created_by on api_keys (created_by) where created_by is not null;

-- The entry of a key is written in its transaction, with its time.
update api_keys set created_by = coalesce(entry.person_id, entry.user_id)
from audit_entries entry
where entry.user_id = api_keys.user_id
  and entry.time = api_keys.created_at
  and entry.action in ('api_key.created', 'api_key.rotated')
  and entry.client_address is not null
  and entry.operator_id is null;

-- Keys that opened the account's sales go on to do so.
update api_keys set permissions = array_append(permissions, 'sales:read')
where 'orders:read' = any (permissions) and not 'sales:read' = any (permissions);

-- Tells every instance of what may end the access of a call that is under way, as `key 7` or `user 7`.
create function notify_key_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('access', 'key ' || old.id);
  return null;
end $$;
create trigger api_keys_access after update of revoked_at, expires_at, permissions on api_keys
  for each row execute function notify_key_access();
create trigger api_keys_access_deleted after delete on api_keys
  for each row execute function notify_key_access();
