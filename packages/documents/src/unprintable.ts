import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import { fonts, readCoverage } from "./fonts.ts";
import { printable } from "./printable.ts";

/** Keeps the sentence that lists the characters readable. */
const maxListed = 10;
/** A fast path for most names: Latin, Greek and Cyrillic letters, which Noto Sans has. */
const isCommon = /^[\x20-\x7e\u00a1-\u017f\u0391-\u03c9\u0410-\u044f]*$/;
const box = "\u25a1";
const clusters = new Intl.Segmenter("en", { granularity: "grapheme" });

const coverage = onFirstUse(async () => fonts.map(({ file }) => readCoverage(file)));

/** The characters of names that a document prints as boxes: at most ten, without duplicates. */
export async function unprintableIn(names: readonly string[]): Promise<string[]> {
  const others = names.filter((name) => !isCommon.test(name));
  if (others.length === 0) return [];
  const covered = await coverage();
  const characters = new Set<string>();
  for (const name of others)
    for (const { segment } of clusters.segment(name.toWellFormed().normalize("NFC")))
      if (!segment.includes(box) && printable(segment, covered).includes(box)) characters.add(segment);
  return [...characters].slice(0, maxListed);
}
