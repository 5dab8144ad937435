import type { Text, Texts } from "../../../contract/texts/text.ts";

const attributes = /\s(?:aria-label|placeholder|alt|title|content|data-title|data-name)="([^"]*)"/g;

/** The texts that a reader of a page sees or hears. Parts that are marked as English do not count, nor does code. */
function shownTexts(html: string): string[] {
  const own = html
    .replaceAll(/<(style|script|pre|code)\b[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<(\w+)(?: [^>]*)? lang="en"[^>]*>[\s\S]*?<\/\1>/g, "");
  const named = [...own.matchAll(attributes)].map(([, text = ""]) => text);
  return [...own.split(/<[^>]*>/), ...named].map((text) => text.trim()).filter((text) => text !== "");
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

const formsOf = (text: Text): string[] => (typeof text === "string" ? [text] : Object.values(text));

/** A text as it can stand on a page; null for one that consists of values. */
function patternOf(written: string): RegExp | null {
  const parts = written.split(/\{\w+\}/);
  return parts.some((part) => /[a-z]{2}/i.test(part)) ? new RegExp(`^${parts.map(escaped).join("[^]*")}$`) : null;
}

/** A key, in the sources or as the build of the portal writes it. */
const isKey = (text: string, texts: Texts): boolean => Object.hasOwn(texts, text) || /^\.[0-9a-z]{1,3}$/.test(text);

/**
 * The keys of the English texts that stand on a page in another language, and the keys that stand there themselves.
 * Words that both languages share do not count.
 */
export function englishIn(html: string, english: Texts, translated: Texts): string[] {
  const shown = shownTexts(html);
  const shared = Object.values(translated).flatMap(formsOf);
  const written = Object.entries(english)
    .filter(([, text]) =>
      formsOf(text)
        // Markup divides a text into parts.
        .flatMap((form) => [form, ...form.split(/\{\w+\}/)])
        .map((part) => part.trim())
        .filter((part) => /^[^{]*[a-z]{3}/i.test(part) && part.length > 3)
        .filter((part) => !shared.some((each) => each.includes(part)))
        .some((part) => {
          const pattern = patternOf(part);
          return pattern !== null && shown.some((each) => pattern.test(each));
        }),
    )
    .map(([key]) => key);
  return [...written, ...shown.filter((text) => isKey(text, english))];
}
