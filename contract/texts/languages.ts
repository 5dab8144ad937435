/**
 * The languages of pages and mails. Each name is in the language itself. `region` determines the form of dates. With
 * `nounsAreCapitalized`, nouns keep their capital letter within a sentence.
 */
export const languages = {
  en: { name: "English", region: "en-GB", hasCapitalNouns: false },
  de: { name: "Deutsch", region: "de-DE", hasCapitalNouns: true },
} as const;

export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as Language[];

export const isLanguage = (text: string | null | undefined): text is Language =>
  typeof text === "string" && Object.hasOwn(languages, text);
