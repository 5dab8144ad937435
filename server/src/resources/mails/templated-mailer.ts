import type { Mailer, TemplatedMailer } from "@beatmarket/mail/mailer.ts";
import { isLanguage, type Language } from "../../../../contract/texts/languages.ts";
import { locales } from "../../../../contract/texts/locales.ts";
import type { Queryable } from "../../database/connect.ts";
import type { MailBrand } from "../../site-settings.ts";
import { preferencesOfAddress } from "../users/mail-preferences.ts";
import { renderMail } from "./facts.ts";
import { openTemplates, type TemplateTexts } from "./folder.ts";
import { isTemplateName } from "./templates.ts";

interface MailerParts {
  /** The language of the account with an address; null without. */
  languageOf(email: string): Promise<Language | null>;
  brand: MailBrand;
}

/** Renders each mail by its template, in the frame of all mails and the language of its reader. */
export const templatedMailer = (
  mailer: Mailer,
  texts: TemplateTexts,
  { languageOf, brand }: MailerParts,
): TemplatedMailer => ({
  send: async ({ to, template, facts, language: requestedLanguage }) => {
    if (!isTemplateName(template)) throw new Error(`No mail is named ${template}.`);
    const language = (await languageOf(to)) ?? (isLanguage(requestedLanguage) ? requestedLanguage : "en");
    const frame = { locale: locales[language], brand, unsubscribeUrl: null };
    await mailer.send({ to, ...renderMail(texts[language][template], facts, frame) });
  },
});

/** With the operator's own texts. Throws an OperatorError as `openTemplates` does. */
export const openTemplatedMailer = async (
  mailer: Mailer,
  { templates, brand, db }: { templates: string | undefined; brand: MailBrand; db: Queryable },
): Promise<TemplatedMailer> =>
  templatedMailer(mailer, await openTemplates(templates), {
    languageOf: async (email) => (await preferencesOfAddress(db, email))?.language ?? null,
    brand,
  });
