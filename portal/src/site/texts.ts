import { isLanguage } from "../../../contract/texts/languages.ts";
import { Locale } from "../../../contract/texts/locale.ts";

const { lang } = document.documentElement;

/**
 * The language of the page, with the texts of scripts that the server put into it (server/src/site/html/document.ts).
 */
export const locale = new Locale(
  isLanguage(lang) ? lang : "en",
  JSON.parse(document.getElementById("texts")?.textContent ?? "{}"),
);
