import type { Mail } from "../../mail/mailer.ts";
import type { StandingAccount } from "../../resources/users/standing.ts";
import { deviceName } from "./device-name.ts";

// These mails contain no user input, not even a name: anybody can have most of them sent to any address. What a notice says of a
// browser is one of few words (device-name.ts). An invitation does not say to what: its page does. Mails to owners about their own
// organisation have its username, which is letters, digits and hyphens, and addresses of members.
// A link's token is in the fragment, which browsers never send: it appears in no server log and no Referer.

/** A mail without its address. */
export type MailText = Omit<Mail, "to">;

/** Who did what a notice describes. */
interface Author {
  clientAddress: string;
  userAgent: string;
}

/** A page of the portal; `next` is the path that it leads to in the end. */
const pageUrl = (publicUrl: string, page: string, next: string | undefined): string =>
  `${publicUrl}/portal/${page}${next === undefined ? "" : `?${new URLSearchParams({ next })}`}`;

export const confirmationMail = (publicUrl: string, token: string, next?: string): MailText => ({
  subject: "Confirm your registration",
  text: `Hello,

somebody, hopefully you, registered this address at the developer portal of Beat Marketplace. To confirm, open this link
within 24 hours and enter the password that you chose:

${pageUrl(publicUrl, "confirm", next)}#${token}

If it was not you, there is nothing to do: without that password and this mail nobody can use the registration.
`,
});

export const alreadyRegisteredMail = (publicUrl: string, next?: string): MailText => ({
  subject: "You are registered already",
  text: `Hello,

somebody, hopefully you, tried to register this address at the developer portal of Beat Marketplace, where it has an account
already. Sign in:

${pageUrl(publicUrl, "sign-in", next)}

or, if you forgot the password, ask for a new one:

${pageUrl(publicUrl, "forgot-password", next)}

If it was not you, there is nothing to do.
`,
});

export const resetMail = (publicUrl: string, token: string, next?: string): MailText => ({
  subject: "Choose a new password",
  text: `Hello,

somebody, hopefully you, asked for a new password at the developer portal of Beat Marketplace. To choose one, open this
link within an hour:

${pageUrl(publicUrl, "reset-password", next)}#${token}

If it was not you, there is nothing to do: your password stays as it is.
`,
});

const ifNotYou = (
  publicUrl: string,
): string => `If it was not you, choose a new password, which ends every session, then look at what was done under Account, and rotate your
API keys:

${publicUrl}/portal/forgot-password
`;

/** A notice about what was done with an account. `what` is a clause: `the password was changed`. */
const notice = (publicUrl: string, subject: string, what: string, author: Author): MailText => ({
  subject,
  text: `Hello,

${what} in your account at the developer portal of Beat Marketplace just now, by ${deviceName(author.userAgent)} at
${author.clientAddress}.

${ifNotYou(publicUrl)}`,
});

export const passwordChangedMail = (publicUrl: string, ended: readonly string[] = []): MailText => ({
  subject: "Your password was changed",
  text: `Hello,

the password of your account at the developer portal of Beat Marketplace was changed just now. Every other session has ended.

${endedCredentials(publicUrl, "a new device signed in", ended)}${ifNotYou(publicUrl)}`,
});

export const newDeviceMail = (publicUrl: string, author: Author): MailText => ({
  subject: "A sign-in from a new device",
  text: `Hello,

somebody, hopefully you, signed in to your account at the developer portal of Beat Marketplace in a browser that had not been
used for it before: ${deviceName(author.userAgent)} at ${author.clientAddress}. Account shows your sessions and ends them:

${publicUrl}/portal/account/sessions

${ifNotYou(publicUrl)}`,
});

export const wrongCodesMail = (publicUrl: string, author: Author): MailText => ({
  subject: "Somebody knows your password",
  text: `Hello,

somebody, hopefully you, signed in to your account at the developer portal of Beat Marketplace with the right password and then
entered wrong codes too often: ${deviceName(author.userAgent)} at ${author.clientAddress}. Nobody got in.

${ifNotYou(publicUrl)}`,
});

export const authenticatorAddedMail = (publicUrl: string, author: Author): MailText =>
  notice(publicUrl, "An authenticator was added", "an authenticator app was added", author);

export const authenticatorRemovedMail = (publicUrl: string, author: Author): MailText =>
  notice(publicUrl, "Your authenticator was removed", "the authenticator app was removed", author);

export const recoveryCodesMail = (publicUrl: string, author: Author): MailText =>
  notice(publicUrl, "Your recovery codes were replaced", "the recovery codes were replaced", author);

export const recoveryCodeUsedMail = (publicUrl: string, left: number, author: Author): MailText =>
  notice(publicUrl, "A recovery code was used", `a recovery code was used, of which ${left} are left,`, author);

export const passkeyAddedMail = (publicUrl: string, author: Author): MailText =>
  notice(publicUrl, "A passkey was added", "a passkey was added", author);

export const passkeyRemovedMail = (publicUrl: string, author: Author): MailText =>
  notice(publicUrl, "A passkey was removed", "a passkey was removed", author);

export const keyFromNewDeviceMail = (publicUrl: string, author: Author): MailText =>
  notice(publicUrl, "A new device made an API key", "an API key was made", author);

export const exportMail = (publicUrl: string, author: Author): MailText =>
  notice(publicUrl, "Your data were exported", "all data were exported", author);

export const changeEmailMail = (publicUrl: string, token: string): MailText => ({
  subject: "Confirm your new address",
  text: `Hello,

somebody, hopefully you, wants to use this address for an account at the developer portal of Beat Marketplace. To confirm, open
this link within an hour and enter the password of the account:

${publicUrl}/portal/confirm-email#${token}

If it was not you, there is nothing to do.
`,
});

export const addressHasAccountMail = (publicUrl: string): MailText => ({
  subject: "This address has an account already",
  text: `Hello,

somebody, hopefully you, wants to use this address for another account at the developer portal of Beat Marketplace. It has an
account already, so nothing was changed. Sign in to it:

${publicUrl}/portal/sign-in

If it was not you, there is nothing to do.
`,
});

export const emailChangedMail = (publicUrl: string, token: string): MailText => ({
  subject: "The address of your account was changed",
  text: `Hello,

your account at the developer portal of Beat Marketplace has another address as of now, which its owner has confirmed. This one
opens it no more.

If it was not you, open this link within seven days, and choose a new password. The account gets this address back, and every
session ends:

${publicUrl}/portal/undo-email#${token}
`,
});

export const addressRestoredMail = (publicUrl: string, ended: readonly string[]): MailText => ({
  subject: "Your account has its address back",
  text: `Hello,

your account at the developer portal of Beat Marketplace has this address again, and the password that you chose. Every session has
ended, and so have authenticators and passkeys that came with the change.

${endedCredentials(publicUrl, "the account was taken over", ended)}Look at what was done under Account, and add an authenticator or a passkey of your own:

${publicUrl}/portal/account
`,
});

/** What was revoked, by its id and the end of the key: names are texts of its maker. `since` is a clause. */
const endedCredentials = (publicUrl: string, since: string, ended: readonly string[]): string =>
  ended.length === 0
    ? ""
    : `What was made since ${since} works no more:

${ended.map((name) => `- ${name}`).join("\n")}

Keys are revoked permanently: make new ones for programs of yours. Endpoints are disabled, and what happens is kept for them: enable yours
again. Rotate the webhook secrets of your other endpoints, which could be seen in the account.

${publicUrl}/portal/keys
${publicUrl}/portal/webhooks

`;

export const emailUndoneMail = (publicUrl: string): MailText => ({
  subject: "This address has no account any more",
  text: `Hello,

the change of an account at the developer portal of Beat Marketplace to this address was undone from the mailbox of its former
one. The account has its former address again:

${publicUrl}/portal/sign-in
`,
});

export const invitationMail = (publicUrl: string, token: string): MailText => ({
  subject: "You are invited to an organisation",
  text: `Hello,

an organisation at Beat Marketplace invites this address to work in its account. To see which one it is, and to join, open this
link within seven days. You need no other mail: without an account yet, you choose a password on the page.

${publicUrl}/portal/join#${token}

If you do not know of it, there is nothing to do.
`,
});

/** `username` is the organisation's; `what` is a clause: `it was deleted by ada@example.com`. */
export const organisationMail = (publicUrl: string, username: string, what: string): MailText => ({
  subject: `A change in your organisation @${username}`,
  text: `Hello,

in the organisation @${username} at Beat Marketplace, ${what}.

If you did not expect it, look at the members and the log of the organisation, and talk to its owners:

${publicUrl}/portal/organisation
`,
});

export const accountDeletedMail = (): MailText => ({
  subject: "Your account was deleted",
  text: `Hello,

your account at the developer portal of Beat Marketplace was deleted just now, with its keys, webhook endpoints and sessions. What
the law wants kept, such as orders and payments, no longer names you.

If it was not you, write to the operator of this marketplace at once.
`,
});

/** `reason` is the operator's sentence, for the owner of the address. */
export const suspendedMail = (account: Suspended, reason: string): MailText => ({
  subject: `${account.email === null ? account.label : "Your account"} is suspended`,
  text: `Hello,

${subjectOf(account)} is suspended: its API keys are refused, nobody can ${account.email === null ? "act as" : "sign in to"} it, and its webhooks wait.

Reason: ${reason}

Nothing is deleted: beats stay on sale, and events are kept for 30 days. To appeal, reply to this mail.
`,
});

export const unsuspendedMail = (account: Suspended, publicUrl: string): MailText => ({
  subject: `${account.email === null ? account.label : "Your account"} is not suspended any more`,
  text: `Hello,

the suspension of ${subjectOf(account)} is lifted. Its API keys work again, and webhooks that waited are being sent.
${account.email === null ? "" : "Sessions of the portal have ended: sign in again.\n"}
${publicUrl}/portal${account.email === null ? "" : "/sign-in"}
`,
});

/** Whose suspension a mail is about; without an address, an organisation's. */
type Suspended = Pick<StandingAccount, "email" | "label">;

const subjectOf = ({ email, label }: Suspended): string =>
  email === null ? `the organisation ${label} at Beat Marketplace` : "your account at Beat Marketplace";
