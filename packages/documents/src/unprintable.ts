import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import { fonts, readCoverage } from "./fonts.ts";
import { printable } from "./printable.ts";

/** The maximum number of named characters, so that the sentence stays readable. */
const maxNamed = 10;
/** Every font has these, and most names have no others: Latin, Greek and Cyrillic. */
const everywhere = /^[\x20-\x7e\u00a1-\u017f\u0391-\u03c9\u0410-\u044f]*$/;
const box = "\u25a1";
const clusters = new Intl.Segmenter("en", { granularity: "grapheme" });

const coverage = onFirstUse(async () => fonts.map(({ file }) => readCoverage(file)));

/** The characters of these names that a document prints as boxes, without duplicates; at most ten. */
export async function unprintableIn(names: readonly string[]): Promise<string[]> {
  const others = names.filter((name) => !everywhere.test(name));
  if (others.length === 0) return [];
  const covered = await coverage();
  const characters = new Set<string>();
  for (const name of others)
    for (const { segment } of clusters.segment(name.toWellFormed().normalize("NFC")))
      if (!segment.includes(box) && printable(segment, covered).includes(box)) characters.add(segment);
  return [...characters].slice(0, maxNamed);
}
