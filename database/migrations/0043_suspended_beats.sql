-- The beats of producers that are suspended now.
update beats set is_listed = false, is_suspended = true
where is_listed and user_id in (select id from users where suspended_at is not null);
