-- Names are remembered apart from everything else of the catalogue, since they hardly ever change: a notice of its own
-- says when one did.
create function notify_names() returns trigger language plpgsql as $$
begin
  notify catalogue, 'names';
  return null;
end $$;

create trigger users_renamed after update of display_name on users
  for each statement execute function notify_names();
create trigger genres_updated after update of name, slug on genres
  for each statement execute function notify_names();
