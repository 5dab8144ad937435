import { deviceName } from "@beatmarket/authentication/known-devices.ts";
import type { TemplatedMail } from "@beatmarket/mail/mailer.ts";
import type { TemplateName } from "../../resources/mails/templates.ts";
import type { StandingAccount } from "../../resources/users/standing.ts";

// These mails contain no user input, not even a name, because anyone can cause most of them for any address:
// - A notice describes a browser with words of a fixed list (known-devices.ts).
// - An invitation does not contain the name of the organisation. The linked page shows the name.
// - Only mails to the owners and the concerned member of an organisation contain members' addresses. The username of an
//   organisation has only letters, digits and hyphens.
// The token of a link is in the fragment. Browsers never send fragments, so a token is in no server log and no Referer.

/** A mail without the recipient's address. */
export type MailText = Omit<TemplatedMail<TemplateName>, "to">;

/** The author of the action in a notice. */
interface Author {
  clientAddress: string;
  userAgent: string;
}

/** The URL of a portal page. `next` is the path of the page that follows. */
const pageUrl = (publicUrl: string, page: string, next?: string): string =>
  `${publicUrl}/portal/${page}${next === undefined ? "" : `?${new URLSearchParams({ next })}`}`;

const resetOf = (publicUrl: string) => ({ reset: pageUrl(publicUrl, "forgot-password") });
const authorOf = ({ userAgent, clientAddress }: Author) => ({ device: deviceName(userAgent), address: clientAddress });

export const confirmationMail = (publicUrl: string, token: string, next?: string): MailText => ({
  template: "confirm-registration",
  facts: { link: `${pageUrl(publicUrl, "confirm", next)}#${token}` },
});

export const alreadyRegisteredMail = (publicUrl: string, next?: string): MailText => ({
  template: "already-registered",
  facts: { sign_in: pageUrl(publicUrl, "sign-in", next), reset: pageUrl(publicUrl, "forgot-password", next) },
});

export const resetMail = (publicUrl: string, token: string, next?: string): MailText => ({
  template: "reset-password",
  facts: { link: `${pageUrl(publicUrl, "reset-password", next)}#${token}` },
});

/** A notice about an action on an account. */
const notice = (template: TemplateName, publicUrl: string, author: Author): MailText => ({
  template,
  facts: { ...authorOf(author), ...resetOf(publicUrl) },
});

export const passwordChangedMail = (publicUrl: string, credentials: readonly string[] = []): MailText => ({
  template: "password-changed",
  facts: { ...endedCredentials(publicUrl, "a new device signed in", credentials), ...resetOf(publicUrl) },
});

export const newDeviceMail = (publicUrl: string, author: Author): MailText => ({
  template: "new-device",
  facts: { ...authorOf(author), ...resetOf(publicUrl), sessions: pageUrl(publicUrl, "account/sessions") },
});

export const wrongCodesMail = (publicUrl: string, author: Author): MailText => notice("wrong-codes", publicUrl, author);

export const authenticatorAddedMail = (publicUrl: string, author: Author): MailText =>
  notice("authenticator-added", publicUrl, author);

export const authenticatorRemovedMail = (publicUrl: string, author: Author): MailText =>
  notice("authenticator-removed", publicUrl, author);

export const recoveryCodesMail = (publicUrl: string, author: Author): MailText =>
  notice("recovery-codes-replaced", publicUrl, author);

export const recoveryCodeUsedMail = (publicUrl: string, remainingCodes: number, author: Author): MailText => ({
  template: "recovery-code-used",
  facts: { ...authorOf(author), ...resetOf(publicUrl), left: String(remainingCodes) },
});

export const passkeyAddedMail = (publicUrl: string, author: Author): MailText =>
  notice("passkey-added", publicUrl, author);

export const passkeyRemovedMail = (publicUrl: string, author: Author): MailText =>
  notice("passkey-removed", publicUrl, author);

export const keyFromNewDeviceMail = (publicUrl: string, author: Author): MailText =>
  notice("key-from-new-device", publicUrl, author);

export const exportMail = (publicUrl: string, author: Author): MailText => notice("data-exported", publicUrl, author);

export const changeEmailMail = (publicUrl: string, token: string): MailText => ({
  template: "confirm-address",
  facts: { link: `${pageUrl(publicUrl, "confirm-email")}#${token}` },
});

export const addressHasAccountMail = (publicUrl: string): MailText => ({
  template: "address-has-account",
  facts: { sign_in: pageUrl(publicUrl, "sign-in") },
});

export const emailChangedMail = (publicUrl: string, token: string): MailText => ({
  template: "address-changed",
  facts: { link: `${pageUrl(publicUrl, "undo-email")}#${token}` },
});

export const addressRestoredMail = (publicUrl: string, credentials: readonly string[]): MailText => ({
  template: "address-restored",
  facts: {
    ...endedCredentials(publicUrl, "the account was taken over", credentials),
    account: pageUrl(publicUrl, "account"),
  },
});

/** The revoked credentials. `ended` has ids and ends of keys, not names, which are user input. `since` is a clause. */
const endedCredentials = (publicUrl: string, since: string, credentials: readonly string[]) => ({
  ended: credentials,
  ended_since: credentials.length === 0 ? "" : `What was created since ${since} no longer works:`,
  ended_next:
    credentials.length === 0
      ? ""
      : `Revoked keys stay revoked: create new keys for your programs. Endpoints are disabled, and their events are stored: enable yours again. Rotate the webhook secrets of your other endpoints, which could be seen in the account.
${pageUrl(publicUrl, "keys")}
${pageUrl(publicUrl, "webhooks")}`,
});

export const emailUndoneMail = (publicUrl: string): MailText => ({
  template: "address-undone",
  facts: { sign_in: pageUrl(publicUrl, "sign-in") },
});

export const invitationMail = (publicUrl: string, token: string): MailText => ({
  template: "invitation",
  facts: { link: `${pageUrl(publicUrl, "join")}#${token}` },
});

/** `username` is the organisation's; `change` is a clause, such as `it was deleted by ada@example.com`. */
export const organisationMail = (publicUrl: string, username: string, change: string): MailText => ({
  template: "organisation-changed",
  facts: { organisation: `@${username}`, what: change, link: pageUrl(publicUrl, "organisation") },
});

export const accountDeletedMail = (publicUrl: string): MailText => ({
  template: "account-deleted",
  facts: { contact: `${publicUrl}/contact` },
});

/** `reason` is a sentence by the operator, which the account's owner reads. */
export const suspendedMail = (account: Suspended, reason: string): MailText => ({
  template: "account-suspended",
  facts: { account: account.email === null ? `The organisation ${account.label}` : "Your account", reason },
});

export const unsuspendedMail = (account: Suspended, publicUrl: string): MailText => ({
  template: "account-unsuspended",
  facts: {
    account: account.email === null ? `The organisation ${account.label}` : "Your account",
    link: pageUrl(publicUrl, "sign-in"),
  },
});

/** The suspended account. An account without an address is an organisation. */
type Suspended = Pick<StandingAccount, "email" | "label">;
