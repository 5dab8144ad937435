import type { Text, Texts } from "../../../contract/texts/text.ts";

const attributes = /\s(?:aria-label|placeholder|alt|title|content|data-title|data-name)="([^"]*)"/g;

/** The texts of a page that a reader sees or hears, except code and parts that are marked as English. */
function shownTexts(html: string): string[] {
  const pageHtml = html
    .replaceAll(/<(style|script|pre|code)\b[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<(\w+)(?: [^>]*)? lang="en"[^>]*>[\s\S]*?<\/\1>/g, "");
  const attributeTexts = [...pageHtml.matchAll(attributes)].map(([, text = ""]) => text);
  return [...pageHtml.split(/<[^>]*>/), ...attributeTexts].map((text) => text.trim()).filter((text) => text !== "");
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

const formsOf = (text: Text): string[] => (typeof text === "string" ? [text] : Object.values(text));

/** A pattern that matches the text on a page; null for a text that consists of placeholders. */
function patternOf(template: string): RegExp | null {
  const parts = template.split(/\{\w+\}/);
  return parts.some((part) => /[a-z]{2}/i.test(part)) ? new RegExp(`^${parts.map(escaped).join("[^]*")}$`) : null;
}

/** Whether a text is a key, either in its source form or in the short form of the portal's build. */
const isKey = (text: string, texts: Texts): boolean => Object.hasOwn(texts, text) || /^\.[0-9a-z]{1,3}$/.test(text);

/**
 * Finds untranslated texts of a page in another language: the keys of English texts that the page shows, and keys that
 * the page shows instead of a text. Words that both languages share do not count.
 */
export function englishIn(html: string, english: Texts, translated: Texts): string[] {
  const pageTexts = shownTexts(html);
  const shared = Object.values(translated).flatMap(formsOf);
  const untranslatedKeys = Object.entries(english)
    .filter(([, text]) =>
      formsOf(text)
        // Markup divides a text into parts.
        .flatMap((form) => [form, ...form.split(/\{\w+\}/)])
        .map((part) => part.trim())
        .filter((part) => /^[^{]*[a-z]{3}/i.test(part) && part.length > 3)
        .filter((part) => !shared.some((each) => each.includes(part)))
        .some((part) => {
          const pattern = patternOf(part);
          return pattern !== null && pageTexts.some((each) => pattern.test(each));
        }),
    )
    .map(([key]) => key);
  return [...untranslatedKeys, ...pageTexts.filter((text) => isKey(text, english))];
}
