-- Tells every instance of a suspension, which ends the access of calls that are under way.

create function notify_account_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('access', 'user ' || old.id);
  return null;
end $$;
create trigger users_access after update of suspended_at on users
  for each row execute function notify_account_access();
