-- The place of a license in the signed status lists (docs/licenses.md, Checking many at once). From a sequence, so none is used twice.
create sequence license_status_index minvalue 0;
alter table licenses add column status_index bigint not null default nextval('license_status_index');
alter sequence license_status_index owned by licenses.status_index;
create unique index licenses_status_index on licenses (status_index);
