/**
 * The languages of pages and mails, each named in itself. `region` determines how dates and lists are written. With
 * `hasCapitalNouns`, a label keeps its capital letter in the middle of a sentence.
 */
export const languages = {
  en: { name: "English", region: "en-GB", hasCapitalNouns: false },
  de: { name: "Deutsch", region: "de-DE", hasCapitalNouns: true },
} as const;

export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as Language[];

export const isLanguage = (text: string | null | undefined): text is Language =>
  typeof text === "string" && Object.hasOwn(languages, text);
