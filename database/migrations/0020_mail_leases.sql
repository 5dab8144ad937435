-- A worker that sends the due mail of an endpoint leases it, so that no transaction is open meanwhile.
alter table webhook_endpoints add column mail_leased_until timestamptz;
create index webhook_endpoints_mail_due on webhook_endpoints (id) where mail_due is not null;
