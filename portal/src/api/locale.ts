import type { Portal, PortalArea } from "../../../contract/texts/en/portal/index.ts";
import { isLanguage } from "../../../contract/texts/languages.ts";
import { Locale } from "../../../contract/texts/locale.ts";
import type { Text, Texts } from "../../../contract/texts/text.ts";

/** What a page's HTML says of its language (portal/languages.ts): texts of its area, and the scripts of other areas. */
interface Written {
  texts: Record<string, Text>;
  files: Partial<Record<PortalArea, string>>;
}

const { document } = globalThis as { document?: Document };
const lang = document?.documentElement.lang;
const { texts = {}, files = {} } = JSON.parse(
  document?.getElementById("texts")?.textContent ?? "{}",
) as Partial<Written>;

/** The scripts with the texts of areas that were not loaded yet. */
export const textFiles = files;

export const addTexts = (more: Texts): void => void Object.assign(texts, more);

/** The language of the page, which the server chose (server/src/portal/web-app.ts). It is the same until the page is loaded again. */
export const locale = new Locale<Portal>(isLanguage(lang) ? lang : "en", texts);

/** A text of contract/texts/en/portal in the language of the page, with its values filled in. */
export const t: typeof locale.t = (key, ...values) => locale.t(key, ...values);
