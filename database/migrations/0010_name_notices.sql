-- Names are remembered apart from everything else of the catalogue, since they hardly ever change: a notice of its own
-- says when one did.
create function notify_names() returns trigger language plpgsql as $$
begin
  notify catalogue, 'names';
  return null;
end $$;

create trigger users_renamed after update of display_name on users
  for each row when (old.display_name <> new.display_name) execute function notify_names();
create trigger genres_renamed after update of name, slug on genres
  for each row when (old.name <> new.name or old.slug <> new.slug) execute function notify_names();
