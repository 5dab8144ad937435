import type { Mail } from "../../mail/mailer.ts";

// These mails contain no user input, not even a name: anybody can have them sent to any address.
// A link's token is in the fragment, which browsers never send: it appears in no server log and no Referer.

export const confirmationMail = (publicUrl: string, token: string): Omit<Mail, "to"> => ({
  subject: "Confirm your registration",
  text: `Hello,

somebody, hopefully you, registered this address at the developer portal of Beat Marketplace. To confirm, open this link
within 24 hours and enter the password that you chose:

${publicUrl}/portal/confirm#${token}

If it was not you, there is nothing to do: without that password and this mail nobody can use the registration.
`,
});

export const alreadyRegisteredMail = (publicUrl: string): Omit<Mail, "to"> => ({
  subject: "You are registered already",
  text: `Hello,

somebody, hopefully you, tried to register this address at the developer portal of Beat Marketplace, where it has an account
already. Sign in:

${publicUrl}/portal/sign-in

or, if you forgot the password, ask for a new one:

${publicUrl}/portal/forgot-password

If it was not you, there is nothing to do.
`,
});

export const resetMail = (publicUrl: string, token: string): Omit<Mail, "to"> => ({
  subject: "Choose a new password",
  text: `Hello,

somebody, hopefully you, asked for a new password at the developer portal of Beat Marketplace. To choose one, open this
link within an hour:

${publicUrl}/portal/reset-password#${token}

If it was not you, there is nothing to do: your password stays as it is.
`,
});

export const passwordChangedMail = (publicUrl: string): Omit<Mail, "to"> => ({
  subject: "Your password was changed",
  text: `Hello,

the password of your account at the developer portal of Beat Marketplace was changed just now. Every other session has ended.

If it was not you, choose a new password, then look at what was done under Account, and rotate your API keys:

${publicUrl}/portal/forgot-password
`,
});

export const newDeviceMail = (publicUrl: string): Omit<Mail, "to"> => ({
  subject: "A sign-in from a new device",
  text: `Hello,

somebody, hopefully you, signed in to your account at the developer portal of Beat Marketplace, with your password, in a
browser that had not been used for it before. Account shows when and from where:

${publicUrl}/portal/account

If it was not you, choose a new password, and rotate your API keys:

${publicUrl}/portal/forgot-password
`,
});
