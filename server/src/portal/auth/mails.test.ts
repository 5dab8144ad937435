import type { Mail } from "@beatmarket/mail/mailer.ts";
import { expect, test } from "vitest";
import { accountTemplates } from "../../resources/mails/account-templates.ts";
import { openTemplates, templatedMailer } from "../../resources/mails/folder.ts";
import { namesOf } from "../../resources/mails/templates.ts";
import * as mails from "./mails.ts";

const publicUrl = "https://beats.example";
const author = { clientAddress: "203.0.113.7", userAgent: "" };
const person = { email: "ada@example.com", label: "ada@example.com" };
const organisation = { email: null, label: "Acme (@acme)" };

const allMails: [string, mails.MailText][] = [
  ["confirmation", mails.confirmationMail(publicUrl, "token", "/market/beats/7?buy=basic")],
  ["already registered", mails.alreadyRegisteredMail(publicUrl)],
  ["reset", mails.resetMail(publicUrl, "token")],
  ["password changed", mails.passwordChangedMail(publicUrl, ["API key 12"])],
  ["password changed, nothing ended", mails.passwordChangedMail(publicUrl)],
  ["new device", mails.newDeviceMail(publicUrl, author)],
  ["wrong codes", mails.wrongCodesMail(publicUrl, author)],
  ["authenticator added", mails.authenticatorAddedMail(publicUrl, author)],
  ["authenticator removed", mails.authenticatorRemovedMail(publicUrl, author)],
  ["recovery codes", mails.recoveryCodesMail(publicUrl, author)],
  ["recovery code used", mails.recoveryCodeUsedMail(publicUrl, 7, author)],
  ["passkey added", mails.passkeyAddedMail(publicUrl, author)],
  ["passkey removed", mails.passkeyRemovedMail(publicUrl, author)],
  ["key", mails.keyFromNewDeviceMail(publicUrl, author)],
  ["export", mails.exportMail(publicUrl, author)],
  ["change of address", mails.changeEmailMail(publicUrl, "token")],
  ["address taken", mails.addressHasAccountMail(publicUrl)],
  ["address changed", mails.emailChangedMail(publicUrl, "token")],
  ["address restored", mails.addressRestoredMail(publicUrl, [])],
  ["address undone", mails.emailUndoneMail(publicUrl)],
  ["invitation", mails.invitationMail(publicUrl, "token")],
  ["organisation", mails.organisationMail(publicUrl, "acme", "ada@example.com left")],
  ["deleted", mails.accountDeletedMail(publicUrl)],
  ["suspended", mails.suspendedMail(person, "Scraping.")],
  ["suspended organisation", mails.suspendedMail(organisation, "Scraping.")],
  ["unsuspended", mails.unsuspendedMail(organisation, publicUrl)],
];

test.each(allMails)(
  "%s fills in its whole template, with the site's name and footer",
  async (_, { template, facts }) => {
    expect(["site", ...Object.keys(facts)].sort()).toEqual(namesOf(template).sort());
    const sentMails: Mail[] = [];
    const brand = { site: "Acme Beats", logoUrl: null, footer: "1 High Street", links: [] };
    const mailer = templatedMailer(
      { send: async (mail) => void sentMails.push(mail) },
      await openTemplates(undefined),
      {
        brand,
        languageOf: async () => null,
      },
    );
    await mailer.send({ to: "ada@example.com", template, facts });
    const [mail] = sentMails;
    expect(mail?.text).not.toMatch(/\{\w+\}|undefined|\n{3}/);
    expect(mail?.text).toContain("-- \nAcme Beats\n1 High Street");
    expect(mail?.html).toContain("Acme Beats");
    expect(mail?.html).not.toContain("<ul></ul>");
  },
);

test("mails.ts writes every mail about accounts, except five that other modules write", () => {
  const written = new Set<string>(allMails.map(([, { template }]) => template));
  const elsewhere = ["limits-granted", "limits-refused", "claim", "endpoint-failing", "endpoint-disabled"];
  expect(Object.keys(accountTemplates).filter((name) => !written.has(name))).toEqual(elsewhere);
});

test("a mail lists revoked credentials with the remedy", () => {
  const { facts } = mails.passwordChangedMail(publicUrl, ["API key 12, which ends with x7Qa"]);
  expect(facts.ended).toEqual(["API key 12, which ends with x7Qa"]);
  expect(facts.ended_next).toContain(`${publicUrl}/portal/keys`);
});
