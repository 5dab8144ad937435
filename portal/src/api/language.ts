import type { Language } from "../../../contract/texts/languages.ts";
import { locale } from "./locale.ts";
import { reloadDocument } from "./open-document.ts";
import { hasUnsavedWork } from "./unsaved-work.ts";

const yearSeconds = 31_536_000;
const followedKey = "beatmarket-language";

let isOther = false;

/** Whether the next page has another language than this one, so that this document has to be left. */
export const isOtherLanguage = (): boolean => isOther;

/** Stores the language in the cookie that all pages follow (docs/translating.md), and loads this page again in it. */
export async function showLanguage(language: Language): Promise<void> {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari before 18.4 has no CookieStore
  document.cookie = `language=${language}; Path=/; Secure; SameSite=Lax; Max-Age=${yearSeconds}`;
  isOther = language !== locale.language;
  await reloadDocument();
}

/**
 * Shows the language of the account, null if it has none. Once in a tab for each language: a browser that refuses the
 * cookie would load the page again and again.
 */
export function followLanguage(language: Language | null): void {
  if (language === null || language === locale.language || hasUnsavedWork()) return;
  if (sessionStorage.getItem(followedKey) === language) return;
  sessionStorage.setItem(followedKey, language);
  void showLanguage(language);
}
