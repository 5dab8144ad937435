-- Tells every instance of the end of sessions and memberships, which ends the access of calls that are under way.

create function notify_member_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('access', 'user ' || old.organisation_id);
  return null;
end $$;
create trigger organisation_members_access after update of role on organisation_members
  for each row execute function notify_member_access();
create trigger organisation_members_access_deleted after delete on organisation_members
  for each row execute function notify_member_access();

create function notify_session_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('access', 'user ' || coalesce(old.acting_as, (
    select portal_users.user_id from portal_users where portal_users.id = old.user_id)));
  return null;
end $$;
create trigger portal_sessions_access after update of acting_as on portal_sessions
  for each row execute function notify_session_access();
create trigger portal_sessions_access_deleted after delete on portal_sessions
  for each row execute function notify_session_access();

-- Whether the sign-in took a second factor: a code, or a passkey.
alter table portal_sessions add column second_factor boolean not null default false;
