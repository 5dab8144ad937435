/** Mails about accounts. Those that anybody can have sent to any address contain no names that people chose. */
export const accountMails = {
  "confirm-registration": `# Confirm your registration

This address was registered at {site}. To confirm, open this link within 24 hours and enter the password that you chose:

{link}

If it was not you, there is nothing to do: without that password and this mail nobody can use the registration.
`,
  "already-registered": `# You are registered already

This address was to be registered at {site}, where it has an account already. Sign in:

{sign_in}

If you forgot the password, ask for a new one:

{reset}

If it was not you, there is nothing to do.
`,
  "reset-password": `# Choose a new password

A new password was asked for at {site}. To choose one, open this link within an hour:

{link}

If it was not you, there is nothing to do: your password stays as it is.
`,
  "password-changed": `# Your password was changed

The password of your account at {site} was changed just now. Every other session has ended.

{ended_since}

{ended}

{ended_next}

If it was not you, choose a new password, which ends every session. Then look at what was done under Account, and rotate your API keys:

{reset}
`,
  "new-device": `# A sign-in from a new device

You, hopefully, signed in to your account at {site} in a browser that had not been used for it before: {device} at {address}. Account shows your sessions and ends them:

{sessions}

If it was not you, choose a new password, which ends every session. Then look at what was done under Account, and rotate your API keys:

{reset}
`,
  "limits-granted": `# Higher limits for your API key

API key {key} has the plan {plan} from now on. Here you see what is left of its limits:

{link}
`,
  "limits-refused": `# No higher limits for your API key

You asked for the plan {plan}. API key {key} stays in its plan. The operator writes:

{message}

Your keys are here:

{link}
`,
  "wrong-codes": `# A stranger may know your password

You, hopefully, signed in to your account at {site} with the right password and then entered wrong codes too often: {device} at {address}. Nobody got in.

If it was not you, choose a new password, which ends every session. Then look at what was done under Account, and rotate your API keys:

{reset}
`,
  "authenticator-added": `# An authenticator was added

An authenticator app was added in your account at {site} just now, by {device} at {address}.

If it was not you, choose a new password, which ends every session. Then look at what was done under Account, and rotate your API keys:

{reset}
`,
  "authenticator-removed": `# Your authenticator was removed

The authenticator app was removed in your account at {site} just now, by {device} at {address}.

If it was not you, choose a new password, which ends every session. Then look at what was done under Account, and rotate your API keys:

{reset}
`,
  "recovery-codes-replaced": `# Your recovery codes were replaced

The recovery codes were replaced in your account at {site} just now, by {device} at {address}.

If it was not you, choose a new password, which ends every session. Then look at what was done under Account, and rotate your API keys:

{reset}
`,
  "recovery-code-used": `# A recovery code was used

A recovery code was used in your account at {site} just now, by {device} at {address}. {left} are left.

If it was not you, choose a new password, which ends every session. Then look at what was done under Account, and rotate your API keys:

{reset}
`,
  "passkey-added": `# A passkey was added

A passkey was added in your account at {site} just now, by {device} at {address}.

If it was not you, choose a new password, which ends every session. Then look at what was done under Account, and rotate your API keys:

{reset}
`,
  "passkey-removed": `# A passkey was removed

A passkey was removed in your account at {site} just now, by {device} at {address}.

If it was not you, choose a new password, which ends every session. Then look at what was done under Account, and rotate your API keys:

{reset}
`,
  "key-from-new-device": `# A new device made an API key

An API key was made in your account at {site} just now, by {device} at {address}.

If it was not you, choose a new password, which ends every session. Then look at what was done under Account, and rotate your API keys:

{reset}
`,
  "data-exported": `# Your data were exported

All data were exported in your account at {site} just now, by {device} at {address}.

If it was not you, choose a new password, which ends every session. Then look at what was done under Account, and rotate your API keys:

{reset}
`,
  "confirm-address": `# Confirm your new address

An account at {site} wants to use this address. To confirm, open this link within an hour and enter the password of the account:

{link}

If it was not you, there is nothing to do.
`,
  "address-has-account": `# This address has an account already

Another account at {site} wants to use this address. It has an account already, so nothing was changed. Sign in to it:

{sign_in}

If it was not you, there is nothing to do.
`,
  "address-changed": `# The address of your account was changed

Your account at {site} has another address as of now, which its owner has confirmed. This one no longer opens it.

If it was not you, open this link within seven days, and choose a new password. The account gets this address back, and every session ends:

{link}
`,
  "address-restored": `# Your account has its address back

Your account at {site} has this address again, and the password that you chose. Every session has ended, and so have authenticators and passkeys that came with the change.

{ended_since}

{ended}

{ended_next}

Look at what was done under Account, and add an authenticator or a passkey of your own:

{account}
`,
  "address-undone": `# This address has no account any more

The change of an account at {site} to this address was undone from the mailbox of the former address. The account has that address again:

{sign_in}
`,
  invitation: `# You are invited to an organisation

An organisation at {site} invites this address to work in its account. To see which one it is, and to join, open this link within seven days. You need no other mail: without an account yet, you choose a password on the page.

{link}

If you do not know of it, there is nothing to do.
`,
  "organisation-changed": `# A change in your organisation {organisation}

In the organisation {organisation} at {site}, {what}.

If you did not expect it, look at the members and the log of the organisation, and talk to its owners:

{link}
`,
  "account-deleted": `# Your account was deleted

Your account at {site} was deleted just now, with its keys, webhook endpoints and sessions. Orders no longer name you. Invoices, payouts and license certificates have to be kept as they are.

If it was not you, write to the operator at once:

{contact}
`,
  "account-suspended": `# {account} is suspended

{account} at {site} is suspended: its API keys are refused, nobody can sign in to it or act as it, and its webhooks wait.

Reason: {reason}

Nothing is deleted, and events are kept for 30 days. To appeal, reply to this mail.
`,
  "account-unsuspended": `# {account} is not suspended any more

The suspension of this account at {site} is lifted. Its API keys work again, and webhooks that waited are being sent. Sessions have ended: sign in again.

{link}
`,
  claim: `# Claim your beats

The operator of {site} hands over a producer to the owner of this mailbox: {producer}

{profile}

To take over its beats into the account of {email}, open this link within 24 hours:

{link}

If these beats are not yours, there is nothing to do: without this mail nobody can take them over.
`,
  "endpoint-failing": `# Webhook endpoint {endpoint} is failing

Deliveries to your webhook endpoint {endpoint} have been failing since {since}. Each is attempted ten times over about three days.

- Endpoint: {url}
- Last error: {error}

To fix it, check that the receiver is up, responds within 15 seconds with a 2xx status (no redirect), and verifies the signature over the raw body. The guide explains each:

{guide}

Nothing is lost if the receiver responds with 2xx again within that time. Deliveries that failed permanently can be replayed in the portal, or by the operator with:

npx beatmarket webhooks replay {endpoint} --failed

After five days without a success the endpoint is disabled.
`,
  "endpoint-disabled": `# Webhook endpoint {endpoint} is disabled

Your webhook endpoint {endpoint} is disabled: nothing is sent to it.

- Reason: {reason}
- Endpoint: {url}
- Last error: {error}

To fix it, check that the receiver is up, responds within 15 seconds with a 2xx status (no redirect), and verifies the signature over the raw body. The guide explains each:

{guide}

Events meanwhile are kept for 30 days as skipped deliveries. When the receiver works again, enable the endpoint in the portal and replay the skipped deliveries, or ask the operator to run:

npx beatmarket webhooks enable {endpoint} --replay
`,
} as const;
