import { parseCount, parseDecimal } from "@beatmarket/foundation/text/read-number.ts";
import { cleanText } from "@beatmarket/tabular-files/cells/clean-text.ts";
import { isMonthFirst, parseDate } from "@beatmarket/tabular-files/cells/date.ts";
import { readList } from "@beatmarket/tabular-files/cells/list.ts";
import { remembered } from "@beatmarket/tabular-files/cells/remembered.ts";
import Type, { type Static, type TSchema } from "typebox";
import { canonicalTags, type ImportedBeat, type OptionalField } from "../../beats/beat.ts";
import { field, fieldWith, type Repaired, settingText } from "./mapped-field.ts";

/** A field that a file may lack and that one cell fills. */
export interface PlainField<Value> {
  /** The schema of the field's settings in a mapping. */
  form: TSchema;
  /**
   * Returns a function that reads a cell's text; null: the text is not readable. `field` has the mapping's settings, as
   * in `form`; `nowMs` is the time of the import; `repaired` records a replacement.
   */
  parser: (field: never, nowMs: number) => (text: string, repaired: Repaired) => Value | null;
  /** The value for a cell that is empty or not readable. */
  fallback: Value;
}

const dateForm = fieldWith({ day_order: Type.Optional(Type.Enum(["day-first", "month-first"])) });
const tagsForm = fieldWith({ split: Type.Optional(settingText) });

/** Each field fills the column of `beats` with the same name. */
export const plainFields = {
  created_at: { form: dateForm, parser: dateParser, fallback: null },
  popularity: { form: field, parser: () => parsePopularity, fallback: 0 },
  play_count: { form: field, parser: () => parseCount, fallback: 0 },
  download_count: { form: field, parser: () => parseCount, fallback: 0 },
  audio_url: { form: field, parser: () => parseUrl, fallback: null },
  cover_image: { form: field, parser: () => parseUrl, fallback: null },
  description: { form: field, parser: () => parseDescription, fallback: "" },
  tags: { form: tagsForm, parser: tagsParser, fallback: [] },
} as const satisfies { [Name in OptionalField & keyof ImportedBeat]?: PlainField<ImportedBeat[Name]> };

export type PlainColumn = keyof typeof plainFields;

/** The default of each field. */
export const fieldDefaults = Object.fromEntries(
  Object.entries(plainFields).map(([name, { fallback }]) => [name, fallback]),
) as unknown as Pick<ImportedBeat, PlainColumn>;

/** In UTF-16 units, except `tags`, the number of tags. */
const limits = { description: 10_000, url: 2_000, tag: 100, tags: 50 };
const earliestMs = Date.UTC(1900, 0);
const dayMs = 24 * 3600 * 1000;

function dateParser(
  field: Static<typeof dateForm> | undefined,
  nowMs: number,
): (text: string, repaired: Repaired) => Date | null {
  const order = field?.day_order ?? "day-first";
  const read = remembered((text) => ({
    dateMs: parseDate(text, order) ?? Number.NaN,
    isUnsure: field?.day_order === undefined && isMonthFirst(text),
  }));
  return (text, repaired) => {
    const { dateMs, isUnsure } = read(text);
    // A date up to a day ahead is today in another time zone. Later dates, and dates before 1900, are mistakes.
    if (!(dateMs >= earliestMs && dateMs <= nowMs + dayMs)) return null;
    const date = new Date(Math.min(dateMs, nowMs));
    if (dateMs > nowMs) repaired("ahead of now", text, date);
    else if (isUnsure) repaired("month before the day", text, date);
    return date;
  };
}

function parsePopularity(text: string): number | null {
  const value = parseDecimal(text);
  return value === null || value < 0 || value > 100 ? null : Math.round(value);
}

function parseUrl(text: string): string | null {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.href.length <= limits.url ? url.href : null;
}

function parseDescription(original: string): string | null {
  const { text } = cleanText(original);
  return text.length <= limits.description ? text : null;
}

function tagsParser(field: Static<typeof tagsForm> | undefined): (text: string) => readonly string[] | null {
  const split = field?.split ?? ",";
  return remembered((text) => {
    const texts = (readList(text) ?? text.split(split)).map((tag) => cleanText(tag).text);
    const tags = canonicalTags(texts.flatMap((tag) => tag.split(",")));
    return tags.length <= limits.tags && tags.every((tag) => tag.length <= limits.tag) ? tags : null;
  });
}
