import type { Coverage } from "./fonts.ts";

/** What stands for a character that no font has, or that is none. */
const missing = "\u25a1";
/** Of one letter; no script has more, and a hundred would cover what stands above. */
const maxMarks = 4;

/** Joiners, variation selectors and the like (UAX 44), which need no glyph. */
const ignorable = /\p{Default_Ignorable_Code_Point}/u;
/** They would end a line, or change the direction of what stands after them; PDF/A refuses some. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const format = /(?!\p{Join_Control})\p{Cf}/gu;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

const clusters = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * A stranger's text as the fonts can print it: on one line, without format characters, and with a box for each character
 * that no font has. PDF/A allows no missing glyph.
 */
export function printable(text: string, fonts: readonly Coverage[]): string {
  const clean = text
    .toWellFormed()
    .normalize("NFC")
    .replace(unprintable, " ")
    .replace(format, "")
    .replace(/\s+/gu, " ")
    .trim();
  return Array.from(clusters.segment(clean), ({ segment }) => printableCluster(segment, fonts)).join("");
}

/** One font has to have the whole cluster; without one the marks go, and then the base. */
function printableCluster(whole: string, fonts: readonly Coverage[]): string {
  let marks = 0;
  const cluster = whole.replace(/\p{M}/gu, (mark) => (ignorable.test(mark) || ++marks <= maxMarks ? mark : ""));
  const isCovered = (text: string) =>
    fonts.some((covers) => [...text].every((its) => ignorable.test(its) || covers(its.codePointAt(0) as number)));
  if (isCovered(cluster)) return cluster;
  const [base = ""] = cluster;
  return isCovered(base) && !ignorable.test(base) ? base : missing;
}

/** With places to break a line in words that are longer than one (zero-width spaces). */
export const breakable = (text: string): string => text.replace(/\S{24}(?=\S)/gu, "$&\u200b");

/** Keeps the direction of a name to itself within a sentence (UAX 9, isolates). */
export const isolated = (name: string): string => (rightToLeft.test(name) ? `\u2068${name}\u2069` : name);

/** The direction of a line that begins with this text. */
export const directionOf = (text: string): "rtl" | "ltr" => {
  const [strong = ""] = /\p{L}/u.exec(text) ?? [];
  return rightToLeft.test(strong) ? "rtl" : "ltr";
};
