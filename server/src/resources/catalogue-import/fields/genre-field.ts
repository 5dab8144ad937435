import { cleanText, nameKey } from "@beatmarket/tabular-files/cells/clean-text.ts";
import { readList } from "@beatmarket/tabular-files/cells/list.ts";
import type { Mapping } from "../mapping.ts";

type GenreField = NonNullable<Mapping["fields"]["genre"]>;

/**
 * Returns a function that reads the name of a genre from the genre column. The text may list genres. The result is the
 * group of the first genre that belongs to a group, else `ungrouped`, else the first genre (capitalized with
 * `capitalize`); "" for an empty text. Pure.
 */
export function genreReader(field: GenreField): (text: string) => string {
  const groups = Object.entries(field.groups ?? {}).map(([name, members]) => ({
    name,
    phrases: [name, ...members].map(phraseKey),
  }));
  const exact = new Map(groups.toReversed().flatMap(({ name, phrases }) => phrases.map((phrase) => [phrase, name])));
  const groupOf = (part: string): string | undefined => {
    const key = phraseKey(part);
    return exact.get(key) ?? groups.find(({ phrases }) => phrases.some((phrase) => hasPhrase(key, phrase)))?.name;
  };
  return (text) => {
    const parts = (readList(text) ?? (field.split === undefined ? [text] : text.split(field.split)))
      .map((part) => cleanText(part).text)
      .filter((part) => part !== "");
    const [first] = parts;
    if (first === undefined) return "";
    const group = parts.map(groupOf).find((name) => name !== undefined);
    return group ?? field.ungrouped ?? (field.capitalize === true ? capitalize(first) : first);
  };
}

const phraseKey = (text: string): string => nameKey(text.replace(/[-_]/g, " "));

const hasPhrase = (text: string, phrase: string): boolean => ` ${text} `.includes(` ${phrase} `);

/** "dance pop" becomes "Dance Pop"; a name with a capital letter stays unchanged. */
const capitalize = (name: string): string =>
  name === name.toLowerCase() ? name.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase()) : name;
