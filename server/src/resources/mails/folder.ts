import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Mailer, TemplatedMailer } from "@beatmarket/mail/mailer.ts";
import { isLanguage, type Language, languageCodes } from "../../../../contract/texts/languages.ts";
import { locales } from "../../../../contract/texts/locales.ts";
import { mailTexts } from "../../../../contract/texts/mails.ts";
import type { Queryable } from "../../database/connect.ts";
import type { MailBrand } from "../../site-settings.ts";
import { preferencesOfAddress } from "../users/mail-preferences.ts";
import { renderMail } from "./facts.ts";
import { isTemplateName, namesOf, type TemplateName, templateNames } from "./templates.ts";

/** The template texts, by language and name. */
export type TemplateTexts = Readonly<Record<Language, Readonly<Record<TemplateName, string>>>>;

const maxBytes = 65_536;

/**
 * Returns the texts of all templates, from the folder MAIL_TEMPLATES if it has them, otherwise the built-in texts.
 * `NAME.md` is for all languages, `de/NAME.md` for German. Throws an OperatorError that names the invalid file and its
 * expected content.
 */
export async function openTemplates(folder: string | undefined): Promise<TemplateTexts> {
  if (folder === undefined) return mailTexts;
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `MAIL_TEMPLATES is ${folder}, which cannot be read (${error.code}). It takes a folder of NAME.md.`,
    );
  });
  const textsForAll = await readFolder(folder, names);
  const texts: Record<Language, Readonly<Record<TemplateName, string>>> = { ...mailTexts };
  for (const language of languageCodes) {
    const languageFolder = join(folder, language);
    const textsForLanguage = names.includes(language)
      ? await readFolder(languageFolder, await readdir(languageFolder))
      : {};
    texts[language] = { ...mailTexts[language], ...textsForAll, ...textsForLanguage };
  }
  return texts;
}

async function readFolder(folder: string, files: readonly string[]): Promise<Partial<Record<TemplateName, string>>> {
  const texts: Partial<Record<TemplateName, string>> = {};
  for (const file of files.filter((each) => each.endsWith(".md"))) {
    const name = file.slice(0, -".md".length);
    if (!isTemplateName(name))
      throw new OperatorError(`${join(folder, file)} replaces no mail. The mails are ${templateNames.join(", ")}.`);
    texts[name] = readTemplate(join(folder, file), name, await readFile(join(folder, file)));
  }
  return texts;
}

function readTemplate(file: string, name: TemplateName, bytes: Buffer): string {
  if (bytes.length > maxBytes)
    throw new OperatorError(`${file} has ${bytes.length} bytes; it takes at most ${maxBytes}.`);
  const text = bytes.toString("utf8").replaceAll("\r\n", "\n").trim();
  if (!/^# +\S/.test(text))
    throw new OperatorError(`${file} begins with no subject, such as "# Your receipt from {site}".`);
  const names = namesOf(name);
  const unknown = [...text.matchAll(/\{([^{}\n]*)\}/g)].find(([, each = ""]) => !names.includes(each));
  if (unknown !== undefined)
    throw new OperatorError(
      `${file} has ${unknown[0]}, which nothing fills in. It takes ${names.map((each) => `{${each}}`).join(", ")}.`,
    );
  return text;
}

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
