import type { Mailer, TemplatedMailer } from "@beatmarket/mail/mailer.ts";
import { openTemplateFolder, type TemplateTexts as TextsOf } from "@beatmarket/mail/template-folder.ts";
import { isLanguage, type Language } from "../../../../contract/texts/languages.ts";
import { locales } from "../../../../contract/texts/locales.ts";
import { mailTexts } from "../../../../contract/texts/mails.ts";
import type { Queryable } from "../../database/connect.ts";
import type { MailBrand } from "../../site-settings.ts";
import { preferencesOfAddress } from "../users/mail-preferences.ts";
import { renderMail } from "./facts.ts";
import { isTemplateName, namesOf, type TemplateName } from "./templates.ts";

/** The template texts, by language and name. */
export type TemplateTexts = TextsOf<TemplateName, Language>;

/**
 * Returns the texts of all templates, from the folder MAIL_TEMPLATES if it has them, otherwise the built-in texts.
 * Throws the OperatorErrors of `openTemplateFolder`.
 */
export const openTemplates = async (folder: string | undefined): Promise<TemplateTexts> =>
  folder === undefined
    ? mailTexts
    : openTemplateFolder({ folder, setting: "MAIL_TEMPLATES" }, { builtIn: mailTexts, factsOf: namesOf });

interface MailerParts {
  /** Returns the language of the account with this address, and null if there is no account or language. */
  languageOf(email: string): Promise<Language | null>;
  brand: MailBrand;
}

/** Renders each mail from its template, in the language of its reader, and sends it. */
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

/** Returns a mailer with the operator's texts. Throws the OperatorErrors of `openTemplates`. */
export const openTemplatedMailer = async (
  mailer: Mailer,
  { templates, brand, db }: { templates: string | undefined; brand: MailBrand; db: Queryable },
): Promise<TemplatedMailer> =>
  templatedMailer(mailer, await openTemplates(templates), {
    languageOf: async (email) => (await preferencesOfAddress(db, email))?.language ?? null,
    brand,
  });
