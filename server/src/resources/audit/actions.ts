import { invalidRequest } from "@beatmarket/foundation/errors.ts";

/** The actions in an account's audit log, with the text that the portal shows. */
export const auditActions = {
  "account.registered": "Account registered",
  "account.signed_in": "Signed in",
  "account.signed_in_on_new_device": "Signed in from a new device",
  "account.signed_out": "Signed out",
  "account.password_changed": "Password changed; every other session was ended",
  "account.password_reset": "Password reset by mail; every session was ended",
  "account.session_ended": "Session ended",
  "account.sessions_ended": "Every other session ended",
  "account.email_change_asked": "Another e-mail address requested",
  "account.email_changed": "E-mail address changed",
  "account.email_undone": "Former e-mail address restored, with a new password; every session was ended",
  "account.authenticator_added": "Authenticator app added",
  "account.authenticator_removed": "Authenticator app removed",
  "account.recovery_codes_replaced": "Recovery codes replaced",
  "account.recovery_code_used": "Signed in with a recovery code",
  "account.passkey_added": "Passkey added",
  "account.passkey_removed": "Passkey removed",
  "account.exported": "All data exported",
  "account.erased": "Account deleted",
  "account.operator_marked": "Account made an operator",
  "account.operator_unmarked": "Account is not an operator any more",
  "account.suspended": "Account suspended; every session was ended",
  "account.unsuspended": "Suspension lifted",
  "account.commission_changed": "Commission on sales changed",
  "account.payout_details_changed": "Payout details changed",
  "account.billing_changed": "Invoice details changed",
  "account.version_changed": "Version of the API changed",
  "api_key.created": "API key created",
  "api_key.rotated": "API key rotated",
  "api_key.revoked": "API key revoked",
  "api_key.plan_changed": "Plan of an API key changed",
  "api_key.restricted": "Restrictions of an API key changed",
  "api_key.version_changed": "Version of an API key changed",
  "organisation.created": "Organisation created",
  "organisation.member_invited": "Member invited by mail",
  "organisation.invitation_revoked": "Invitation revoked",
  "organisation.member_joined": "Member joined",
  "organisation.role_changed": "Role of a member changed",
  "organisation.member_removed": "Member removed",
  "organisation.member_left": "Member left",
  "organisation.transferred": "Ownership transferred",
  "organisation.profile_changed": "Profile changed",
  "beat.taken_down": "Beat taken down",
  "beat.restored": "Beat restored after a takedown",
  "report.notice_sent": "Notice of a report sent to the producer",
  "report.countered": "Report countered by the producer",
  "report.upheld": "Report upheld",
  "report.rejected": "Report rejected",
  "order.refunded": "Order refunded",
  "producer.claim_created": "Link to claim a producer mailed",
  "producer.claim_revoked": "Link to claim a producer revoked",
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

const maxReasonLength = 300;

/** Why an operator did something, as a sentence. Throws 400 for a text that is empty or too long. */
export function readReason(text: string): string {
  const reason = text.trim().replaceAll(/\s+/g, " ");
  if (reason === "" || reason.length > maxReasonLength)
    throw invalidRequest(
      `The reason is a sentence of 1 to ${maxReasonLength} characters, which the account's owner reads.`,
      "reason",
    );
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
