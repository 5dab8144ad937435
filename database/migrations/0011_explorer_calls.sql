-- Calls made in the portal's explorer have limits of their own (DESIGN section 2, plans).
alter table request_log add column from_explorer boolean not null default false;
