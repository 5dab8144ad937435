/** The languages of pages and mails. The name of each is in itself; `region` says how dates are written. */
export const languages = {
  en: { name: "English", region: "en-GB" },
  de: { name: "Deutsch", region: "de-DE" },
} as const;

export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as Language[];

export const isLanguage = (text: string | null | undefined): text is Language =>
  typeof text === "string" && Object.hasOwn(languages, text);
