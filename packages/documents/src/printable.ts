import type { PrintableTexts } from "./document.ts";
import type { Coverage } from "./fonts.ts";

/** Replaces a character that no font has, or that is not assigned. */
const missing = "\u25a1";
/** The maximum number of marks on one letter. No script needs more, and a hundred would cover the line above. */
const maxMarks = 8;

/** Joiners, variation selectors and the like (UAX 44), which need no glyph. */
const ignorable = /\p{Default_Ignorable_Code_Point}/u;
/** Characters that would end a line or change the direction of the following text. PDF/A forbids some of them. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const format = /(?!\p{Join_Control})\p{Cf}/gu;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Mathematical letters, which people use as decoration. Plain letters look similar and can be searched. */
const styled = /[\u{1d400}-\u{1d7ff}]/gu;

const clusters = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Converts a stranger's text to one line without format characters except joiners. Replaces each character without a
 * glyph with a box, since PDF/A does not allow missing glyphs.
 */
export function printable(text: string, fonts: readonly Coverage[]): string {
  const clean = text
    .toWellFormed()
    .normalize("NFC")
    .replace(styled, (letter) => letter.normalize("NFKC"))
    .replace(unprintable, " ")
    .replace(format, "")
    .replace(/\s+/gu, " ")
    .trim();
  return Array.from(clusters.segment(clean), ({ segment }) => printableCluster(segment, fonts)).join("");
}

/**
 * Returns the cluster if one font has all its characters. Otherwise the NFKC form, the base without marks, or a box:
 * the first of these that a font has.
 */
function printableCluster(text: string, fonts: readonly Coverage[]): string {
  const cluster = withFewMarks(text);
  const isCovered = (text: string) =>
    fonts.some((covers) => [...text].every((each) => ignorable.test(each) || covers(each.codePointAt(0) as number)));
  if (isCovered(cluster)) return cluster;
  const folded = cluster.normalize("NFKC");
  if ([...clusters.segment(folded)].every(({ segment }) => isCovered(segment))) return folded;
  const [base = ""] = cluster;
  return isCovered(base) && !ignorable.test(base) ? base : missing;
}

/** Removes the marks of each letter beyond `maxMarks`. In Indic scripts a cluster has several letters. */
function withFewMarks(cluster: string): string {
  let marks = 0;
  return cluster.replace(/\P{M}|\p{M}/gu, (character) => {
    if (!/\p{M}/u.test(character)) marks = 0;
    else if (!ignorable.test(character) && ++marks > maxMarks) return "";
    return character;
  });
}

/** Adds places for line breaks to words that are longer than a line (zero-width spaces). */
export const breakable = (text: string): string => text.replace(/\S{24}(?=\S)/gu, "$&\u200b");

/** Isolates the direction of a name within a sentence (UAX 9, isolates). */
export const isolated = (name: string): string => (rightToLeft.test(name) ? `\u2068${name}\u2069` : name);

/** The direction of a line that begins with this text. */
const directionOf = (text: string): "rtl" | "ltr" => {
  const [strong = ""] = /\p{L}/u.exec(text) ?? [];
  return rightToLeft.test(strong) ? "rtl" : "ltr";
};

export function printableTexts(fonts: readonly Coverage[]): PrintableTexts {
  let lacksGlyphs = false;
  const clean = (text: string): string => {
    const printed = printable(text, fonts);
    lacksGlyphs ||= printed.includes("\u25a1") && !text.includes("\u25a1");
    return printed;
  };
  return {
    clean,
    name: (text) => {
      const printed = clean(text);
      return { text: breakable(printed), direction: directionOf(printed) };
    },
    get lacksGlyphs() {
      return lacksGlyphs;
    },
  };
}
