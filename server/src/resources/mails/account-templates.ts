import type { Template } from "./template.ts";

// No name that a person chose is in them: anybody can have most of these mails sent to any address.

const portal = "https://beats.example/portal";
const token = "hPZ2v7mJqXc1LrT5sNfDaYk8wE3oGbUi";
const author = { device: "Firefox on Linux", address: "203.0.113.7" };
const ifNotYou = `If it was not you, choose a new password, which ends every session. Then look at what was done under Account, and rotate your API keys:

{reset}
`;
const reset = `${portal}/forgot-password`;

/** About what was done with an account. */
const notice = (subject: string, description: string, what: string): Template => ({
  description: `To the account, when ${description}.`,
  text: `# ${subject}

${what} in your account at {site} just now, by {device} at {address}.

${ifNotYou}`,
  sample: { ...author, reset },
});

const endedSample = {
  ended_since: "What was made since a new device signed in works no more:",
  ended: ["API key 12, which ends with x7Qa"],
  ended_next: `Keys are revoked permanently: make new ones for programs of yours.`,
};

/** All mails about accounts, by name. */
export const accountTemplates = {
  "confirm-registration": {
    description: "To an address that registers.",
    text: `# Confirm your registration

This address was registered at {site}. To confirm, open this link within 24 hours and enter the password that you chose:

{link}

If it was not you, there is nothing to do: without that password and this mail nobody can use the registration.
`,
    sample: { link: `${portal}/confirm#${token}` },
  },
  "already-registered": {
    description: "To an address that registers and has an account.",
    text: `# You are registered already

This address was to be registered at {site}, where it has an account already. Sign in:

{sign_in}

If you forgot the password, ask for a new one:

{reset}

If it was not you, there is nothing to do.
`,
    sample: { sign_in: `${portal}/sign-in`, reset },
  },
  "reset-password": {
    description: "To an account that asks for a new password.",
    text: `# Choose a new password

A new password was asked for at {site}. To choose one, open this link within an hour:

{link}

If it was not you, there is nothing to do: your password stays as it is.
`,
    sample: { link: `${portal}/reset-password#${token}` },
  },
  "password-changed": {
    description: "To the account, when its password was changed.",
    text: `# Your password was changed

The password of your account at {site} was changed just now. Every other session has ended.

{ended_since}

{ended}

{ended_next}

${ifNotYou}`,
    sample: { ...endedSample, reset },
  },
  "new-device": {
    description: "To the account, when a browser signs in that it did not know.",
    text: `# A sign-in from a new device

You, hopefully, signed in to your account at {site} in a browser that had not been used for it before: {device} at {address}. Account shows your sessions and ends them:

{sessions}

${ifNotYou}`,
    sample: { ...author, sessions: `${portal}/account/sessions`, reset },
  },
  "wrong-codes": {
    description: "To the account, when wrong codes followed the right password.",
    text: `# A stranger may know your password

You, hopefully, signed in to your account at {site} with the right password and then entered wrong codes too often: {device} at {address}. Nobody got in.

${ifNotYou}`,
    sample: { ...author, reset },
  },
  "authenticator-added": notice(
    "An authenticator was added",
    "an authenticator app was added",
    "An authenticator app was added",
  ),
  "authenticator-removed": notice(
    "Your authenticator was removed",
    "its authenticator app was removed",
    "The authenticator app was removed",
  ),
  "recovery-codes-replaced": notice(
    "Your recovery codes were replaced",
    "its recovery codes were replaced",
    "The recovery codes were replaced",
  ),
  "recovery-code-used": {
    description: "To the account, when a recovery code was used.",
    text: `# A recovery code was used

A recovery code was used in your account at {site} just now, by {device} at {address}. {left} are left.

${ifNotYou}`,
    sample: { ...author, left: "7", reset },
  },
  "passkey-added": notice("A passkey was added", "a passkey was added", "A passkey was added"),
  "passkey-removed": notice("A passkey was removed", "a passkey was removed", "A passkey was removed"),
  "key-from-new-device": notice("A new device made an API key", "a new device made an API key", "An API key was made"),
  "data-exported": notice("Your data were exported", "all its data were exported", "All data were exported"),
  "confirm-address": {
    description: "To the new address of an account.",
    text: `# Confirm your new address

An account at {site} wants to use this address. To confirm, open this link within an hour and enter the password of the account:

{link}

If it was not you, there is nothing to do.
`,
    sample: { link: `${portal}/confirm-email#${token}` },
  },
  "address-has-account": {
    description: "To the same, when it has an account of its own.",
    text: `# This address has an account already

Another account at {site} wants to use this address. It has an account already, so nothing was changed. Sign in to it:

{sign_in}

If it was not you, there is nothing to do.
`,
    sample: { sign_in: `${portal}/sign-in` },
  },
  "address-changed": {
    description: "To the former address of an account.",
    text: `# The address of your account was changed

Your account at {site} has another address as of now, which its owner has confirmed. This one opens it no more.

If it was not you, open this link within seven days, and choose a new password. The account gets this address back, and every session ends:

{link}
`,
    sample: { link: `${portal}/undo-email#${token}` },
  },
  "address-restored": {
    description: "To the former address, when it took the account back.",
    text: `# Your account has its address back

Your account at {site} has this address again, and the password that you chose. Every session has ended, and so have authenticators and passkeys that came with the change.

{ended_since}

{ended}

{ended_next}

Look at what was done under Account, and add an authenticator or a passkey of your own:

{account}
`,
    sample: { ...endedSample, account: `${portal}/account` },
  },
  "address-undone": {
    description: "To the address that the account had in the meantime.",
    text: `# This address has no account any more

The change of an account at {site} to this address was undone from the mailbox of its former one. The account has its former address again:

{sign_in}
`,
    sample: { sign_in: `${portal}/sign-in` },
  },
  invitation: {
    description: "To an address that is invited to an organisation.",
    text: `# You are invited to an organisation

An organisation at {site} invites this address to work in its account. To see which one it is, and to join, open this link within seven days. You need no other mail: without an account yet, you choose a password on the page.

{link}

If you do not know of it, there is nothing to do.
`,
    sample: { link: `${portal}/join#${token}` },
  },
  "organisation-changed": {
    description: "To the owners of an organisation, when its members or its standing changed.",
    text: `# A change in your organisation {organisation}

In the organisation {organisation} at {site}, {what}.

If you did not expect it, look at the members and the log of the organisation, and talk to its owners:

{link}
`,
    sample: {
      organisation: "@acme-records",
      what: "ada@example.com was made an owner",
      link: `${portal}/organisation`,
    },
  },
  "account-deleted": {
    description: "To the address of an account that was deleted.",
    text: `# Your account was deleted

Your account at {site} was deleted just now, with its keys, webhook endpoints and sessions. What the law wants kept, such as orders and payments, no longer names you.

If it was not you, write to the operator at once:

{contact}
`,
    sample: { contact: "https://beats.example/contact" },
  },
  "account-suspended": {
    description: "To an account that an operator suspends, or the owners of an organisation.",
    text: `# {account} is suspended

{account} at {site} is suspended: its API keys are refused, nobody can sign in to it or act as it, and its webhooks wait.

Reason: {reason}

Nothing is deleted, and events are kept for 30 days. To appeal, reply to this mail.
`,
    sample: { account: "Your account", reason: "Scraping for resale." },
  },
  "account-unsuspended": {
    description: "To the same, when the suspension is lifted.",
    text: `# {account} is not suspended any more

The suspension of this account at {site} is lifted. Its API keys work again, and webhooks that waited are being sent. Sessions have ended: sign in again.

{link}
`,
    sample: { account: "Your account", link: `${portal}/sign-in` },
  },
  claim: {
    description: "To the mailbox that an operator hands a producer over to.",
    text: `# Claim your beats

The operator of {site} hands over a producer to the owner of this mailbox: {producer}

{profile}

To take over its beats into the account of {email}, open this link within 24 hours:

{link}

If these beats are not yours, there is nothing to do: without this mail nobody can take them over.
`,
    sample: {
      producer: "Nightowl",
      profile: "https://beats.example/v1/users/7",
      email: "ana@example.com",
      link: `${portal}/claim#${token}`,
    },
  },
  "endpoint-failing": {
    description: "To the owner of a webhook endpoint, when its deliveries fail for hours.",
    text: `# Webhook endpoint {endpoint} is failing

Deliveries to your webhook endpoint {endpoint} have been failing since {since}. Each is attempted ten times over about three days.

- Endpoint: {url}
- Last error: {error}

To fix it, check that the receiver is up, responds within 15 seconds with a 2xx status (no redirect), and verifies the signature over the raw body. The guide explains each:

{guide}

Nothing is lost if the receiver responds with 2xx again within that time. Deliveries that failed permanently can be replayed in the portal, or by the operator with:

npx beatmarket webhooks replay {endpoint} --failed

After five days without a success the endpoint is disabled.
`,
    sample: {
      ...{ endpoint: "3", url: "https://example.com/hooks", error: "500", since: "2026-11-22 06:40 UTC" },
      guide: `${portal}/docs/webhooks`,
    },
  },
  "endpoint-disabled": {
    description: "To the same, when the endpoint is disabled.",
    text: `# Webhook endpoint {endpoint} is disabled

Your webhook endpoint {endpoint} is disabled: nothing is sent to it.

- Reason: {reason}
- Endpoint: {url}
- Last error: {error}

To fix it, check that the receiver is up, responds within 15 seconds with a 2xx status (no redirect), and verifies the signature over the raw body. The guide explains each:

{guide}

Events meanwhile are kept for 30 days as skipped deliveries. When the receiver works again, enable the endpoint in the portal and replay the skipped deliveries, or ask the operator to run:

npx beatmarket webhooks enable {endpoint} --replay
`,
    sample: {
      ...{ endpoint: "3", url: "https://example.com/hooks", error: "500", reason: "It failed for five days." },
      guide: `${portal}/docs/webhooks`,
    },
  },
} as const satisfies Record<string, Template>;
