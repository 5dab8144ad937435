import type { Portal, PortalArea } from "../../../contract/texts/en/portal/index.ts";
import { isLanguage } from "../../../contract/texts/languages.ts";
import { Locale } from "../../../contract/texts/locale.ts";
import type { Text, Texts } from "../../../contract/texts/text.ts";

/** The JSON in a page's HTML (portal/languages.ts): the texts of the page's area, and the script of each other area. */
interface PageTexts {
  texts: Record<string, Text>;
  files: Partial<Record<PortalArea, string>>;
}

const { document } = globalThis as { document?: Document };
const lang = document?.documentElement.lang;
const { texts = {}, files = {} } = JSON.parse(
  document?.getElementById("texts")?.textContent ?? "{}",
) as Partial<PageTexts>;

/** The scripts with the texts of the other areas. */
export const textFiles = files;

export const addTexts = (areaTexts: Texts): void => void Object.assign(texts, areaTexts);

/** The language of the page. The server chooses it (server/src/portal/web-app.ts). It changes only with a reload. */
export const locale = new Locale<Portal>(isLanguage(lang) ? lang : "en", texts);

/** Translates a text of contract/texts/en/portal into the page's language, and inserts the values. */
export const t: typeof locale.t = (key, ...values) => locale.t(key, ...values);
