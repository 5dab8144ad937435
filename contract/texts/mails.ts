import { mails as de } from "./de/mails.ts";
import { mails as en } from "./en/mails.ts";
import type { Language } from "./languages.ts";

export type MailName = keyof typeof en;

/** The texts of mails in all languages. */
export const mailTexts: Readonly<Record<Language, Readonly<Record<MailName, string>>>> = { en, de };
