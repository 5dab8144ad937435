import type { Language } from "../../../contract/texts/languages.ts";
import { locale } from "./locale.ts";
import { reloadDocument } from "./open-document.ts";
import { hasUnsavedWork } from "./unsaved-work.ts";

const yearSeconds = 31_536_000;
const followedKey = "beatmarket-language";

let isOther = false;

/** Whether the language has changed since this document was loaded. The next page then needs a new document. */
export const isOtherLanguage = (): boolean => isOther;

/** Stores the language in the cookie of all pages (docs/translating.md), and reloads this page. */
export async function showLanguage(language: Language): Promise<void> {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari before 18.4 has no CookieStore
  document.cookie = `language=${language}; Path=/; Secure; SameSite=Lax; Max-Age=${yearSeconds}`;
  isOther = language !== locale.language;
  await reloadDocument();
}

/**
 * Switches to the account's language, unless input is unsaved; null changes nothing. Switches only once per tab and
 * language, because a browser that rejects the cookie would reload forever.
 */
export function followLanguage(language: Language | null): void {
  if (language === null || language === locale.language || hasUnsavedWork()) return;
  if (sessionStorage.getItem(followedKey) === language) return;
  sessionStorage.setItem(followedKey, language);
  void showLanguage(language);
}
