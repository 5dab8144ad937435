import { de } from "./de/index.ts";
import { en } from "./en/index.ts";
import type { Language } from "./languages.ts";
import { Locale } from "./locale.ts";

/** All languages. */
export const locales: Readonly<Record<Language, Locale>> = { en: new Locale("en", en), de: new Locale("de", de) };
