import type { Template } from "./facts.ts";

// Mails that anyone can cause to any address contain no names that people chose.

const portal = "https://beats.example/portal";
const token = "hPZ2v7mJqXc1LrT5sNfDaYk8wE3oGbUi";
const author = { device: "Firefox on Linux", address: "203.0.113.7" };
const reset = `${portal}/forgot-password`;

/** A mail about a change of an account, or about an action in it. */
const notice = (description: string): Template => ({
  description: `To the account, when ${description}.`,
  sample: { ...author, reset },
});

const endedSample = {
  ended_since: "What was created since a new device signed in no longer works:",
  ended: ["API key 12, which ends with x7Qa"],
  ended_next: `Revoked keys stay revoked: create new keys for your programs.`,
};

/** All mails about accounts, by name. */
export const accountTemplates = {
  "confirm-registration": {
    description: "To an address that registers.",
    sample: { link: `${portal}/confirm#${token}` },
  },
  "already-registered": {
    description: "To an address that registers although it has an account.",
    sample: { sign_in: `${portal}/sign-in`, reset },
  },
  "reset-password": {
    description: "To an account that asks for a new password.",
    sample: { link: `${portal}/reset-password#${token}` },
  },
  "password-changed": {
    description: "To the account, when its password was changed.",
    sample: { ...endedSample, reset },
  },
  "new-device": {
    description: "To the account, when a browser signs in that is new to the account.",
    sample: { ...author, sessions: `${portal}/account/sessions`, reset },
  },
  "limits-granted": {
    description: "To the person who requested a higher plan of an API key, when it is granted.",
    sample: { key: "12 (…x7Qa)", plan: "plus", link: `${portal}/keys` },
  },
  "limits-refused": {
    description: "To the person who requested a higher plan of an API key, when it is refused.",
    sample: {
      key: "12 (…x7Qa)",
      plan: "plus",
      link: `${portal}/keys`,
      message: "Mirror the catalogue by /changes: that needs one call a minute.",
    },
  },
  "wrong-codes": {
    description: "To the account, when wrong codes were entered after the right password.",
    sample: { ...author, reset },
  },
  "authenticator-added": notice("an authenticator app was added"),
  "authenticator-removed": notice("its authenticator app was removed"),
  "recovery-codes-replaced": notice("its recovery codes were replaced"),
  "recovery-code-used": {
    description: "To the account, when a recovery code was used.",
    sample: { ...author, left: "7", reset },
  },
  "passkey-added": notice("a passkey was added"),
  "passkey-removed": notice("a passkey was removed"),
  "key-from-new-device": notice("a new device made an API key"),
  "data-exported": notice("all its data were exported"),
  "confirm-address": {
    description: "To the new address of an account, to confirm the address.",
    sample: { link: `${portal}/confirm-email#${token}` },
  },
  "address-has-account": {
    description: "To the new address of an account, when that address has an account already.",
    sample: { sign_in: `${portal}/sign-in` },
  },
  "address-changed": {
    description: "To the former address of an account, after the address was changed.",
    sample: { link: `${portal}/undo-email#${token}` },
  },
  "address-restored": {
    description: "To the former address of an account, when its owner has taken the account back.",
    sample: { ...endedSample, account: `${portal}/account` },
  },
  "address-undone": {
    description: "To the address that an account had until the owner of the former address took the account back.",
    sample: { sign_in: `${portal}/sign-in` },
  },
  invitation: {
    description: "To an address that is invited to an organisation.",
    sample: { link: `${portal}/join#${token}` },
  },
  "organisation-changed": {
    description:
      "To the owners of an organisation and the member concerned, when a member joined, left, was removed or got another role, or the organisation was deleted.",
    sample: {
      organisation: "@acme-records",
      what: "ada@example.com was made an owner",
      link: `${portal}/organisation`,
    },
  },
  "account-deleted": {
    description: "To the address of an account that was deleted.",
    sample: { contact: "https://beats.example/contact" },
  },
  "account-suspended": {
    description: "To an account that an operator suspends, or the owners of an organisation.",
    sample: { account: "Your account", reason: "Scraping for resale." },
  },
  "account-unsuspended": {
    description: "To an account or the owners of an organisation, when a suspension is lifted.",
    sample: { account: "Your account", link: `${portal}/sign-in` },
  },
  claim: {
    description: "To the mailbox to which an operator hands over a producer.",
    sample: {
      producer: "Nightowl",
      profile: "https://beats.example/v1/users/7",
      email: "ana@example.com",
      link: `${portal}/claim#${token}`,
    },
  },
  "endpoint-failing": {
    description: "To the owner of a webhook endpoint, when its deliveries fail for hours.",
    sample: {
      endpoint: "3",
      url: "https://example.com/hooks",
      error: "500",
      since: "2026-11-22 06:40 UTC",
      guide: `${portal}/docs/webhooks`,
    },
  },
  "endpoint-disabled": {
    description: "To the owner of a webhook endpoint, when the endpoint is disabled.",
    sample: {
      endpoint: "3",
      url: "https://example.com/hooks",
      error: "500",
      reason: "It failed for five days.",
      guide: `${portal}/docs/webhooks`,
    },
  },
} as const satisfies Record<string, Template>;
