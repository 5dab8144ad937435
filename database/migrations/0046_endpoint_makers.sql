-- Who made a webhook endpoint, who gave it its present address and when, and who invited a member.

alter table webhook_endpoints
  -- The person; null where an operator's command made it.
  add column created_by bigint references users (id),
  add column url_set_by bigint references users (id),
  -- Null: since it was made.
  add column url_set_at timestamptz;
create index webhook_endpoints_created_by on webhook_endpoints (created_by) where created_by is not null;
create index webhook_endpoints_url_set_by on webhook_endpoints (url_set_by) where url_set_by is not null;

update webhook_endpoints set created_by = coalesce(entry.person_id, entry.user_id)
from audit_entries entry
where entry.user_id = webhook_endpoints.user_id
  and entry.time = webhook_endpoints.created_at
  and entry.action = 'webhook_endpoint.created'
  and entry.client_address is not null
  and entry.operator_id is null;

alter table organisation_invitations add column invited_by bigint references users (id);
create index organisation_invitations_invited_by on organisation_invitations (invited_by) where invited_by is not null;

update organisation_invitations invitation set invited_by = entry.person_id
from audit_entries entry
where entry.user_id = invitation.organisation_id
  and entry.time = invitation.created_at
  and entry.action = 'organisation.member_invited'
  and entry.person_id is not null;
