/** The actions in an account's audit log, with the text that the portal shows. */
export const auditActions = {
  "account.registered": "Account registered",
  "account.signed_in": "Signed in",
  "account.signed_out": "Signed out",
  "account.password_changed": "Password changed; every other session was ended",
  "account.password_reset": "Password reset by mail; every session was ended",
  "api_key.created": "API key created",
  "api_key.rotated": "API key rotated",
  "api_key.revoked": "API key revoked",
  "producer.claim_created": "Claim of a producer mailed",
  "producer.claim_revoked": "Claim of a producer revoked",
  "producer.claimed": "Producer claimed by a mailed link",
  "webhook_endpoint.created": "Webhook endpoint created",
  "webhook_endpoint.updated": "Webhook endpoint changed",
  "webhook_endpoint.enabled": "Webhook endpoint enabled",
  "webhook_endpoint.disabled": "Webhook endpoint disabled",
  "webhook_endpoint.deleted": "Webhook endpoint deleted",
  "webhook_endpoint.secret_revealed": "Webhook secret shown",
  "webhook_endpoint.secret_rotated": "Webhook secret rotated",
  "webhook_endpoint.replayed": "Webhook deliveries replayed",
} as const;

export type AuditAction = keyof typeof auditActions;
