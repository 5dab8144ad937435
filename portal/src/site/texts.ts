import { isLanguage } from "../../../contract/texts/languages.ts";
import { Locale } from "../../../contract/texts/locale.ts";

const { lang } = document.documentElement;

/**
 * The page's language, and the texts of its scripts. The server puts both into the page
 * (server/src/site/html/document.ts).
 */
export const locale = new Locale(
  isLanguage(lang) ? lang : "en",
  JSON.parse(document.getElementById("texts")?.textContent ?? "{}"),
);
