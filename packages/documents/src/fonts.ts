import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

interface Font {
  /** The name of the family in the font file. */
  family: string;
  file: string;
}

/** A file in the folder `fonts`. `fonts.json` lists the package of each file. */
const font = (family: string, file: string): Font => ({
  family,
  file: join(import.meta.dirname, "../fonts", file),
});

const regular = (family: string): Font => font(family, `${family.replaceAll(" ", "")}-Regular.ttf`);
const noto = (script: string): Font => regular(`Noto Sans ${script}`);

/** In the order of preference for a character. docs/decisions/certificates.md explains the choice. */
export const fonts: readonly Font[] = [
  font("Noto Sans", "NotoSans-Regular.ttf"),
  font("Noto Sans", "NotoSans-SemiBold.ttf"),
  font("Noto Sans Hebrew", "NotoSansHebrew-Regular.ttf"),
  font("Noto Naskh Arabic", "NotoNaskhArabic-Regular.ttf"),
  ...[
    "Devanagari",
    "Bengali",
    "Gurmukhi",
    "Gujarati",
    "Oriya",
    "Tamil",
    "Telugu",
    "Kannada",
    "Malayalam",
    "Sinhala",
    "Thai",
    "Lao",
    "Khmer",
    "Myanmar",
    "Georgian",
    "Armenian",
    "Ethiopic",
    "Thaana",
    "Syriac",
    "Cherokee",
    "Canadian Aboriginal",
    "Tifinagh",
    "Mongolian",
    "Adlam",
    "Javanese",
    "Ol Chiki",
    "Meetei Mayek",
  ].map(noto),
  regular("Noto Sans NKo"),
  regular("Noto Serif Tibetan"),
  font("Noto Sans Korean", "NotoSansKR-Regular.otf"),
  font("Noto Sans Japanese", "NotoSansJP-Regular.otf"),
  font("Noto Sans S Chinese", "NotoSansHans-Regular.otf"),
  regular("Noto Emoji"),
  noto("Symbols"),
  regular("Noto Sans Symbols 2"),
  noto("Math"),
];

/** The families after Noto Sans, without duplicates. */
export const otherFamilies: readonly string[] = [...new Set(fonts.map(({ family }) => family))].slice(1);

/** Whether a font has a glyph for a code point. */
export type Coverage = (codePoint: number) => boolean;

/**
 * Reads the `cmap` table of a font, which lists the characters that have a glyph (OpenType 1.9: formats 4 and 12). Does
 * not read the rest of the file.
 */
export function readCoverage(file: string): Coverage {
  const fd = openSync(file, "r");
  try {
    const read = (offset: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length);
      readSync(fd, bytes, 0, length, offset);
      return bytes;
    };
    const tables = read(12, read(4, 2).readUInt16BE() * 16);
    for (let offset = 0; offset < tables.length; offset += 16)
      if (tables.toString("latin1", offset, offset + 4) === "cmap")
        return coverageOf(read(tables.readUInt32BE(offset + 8), tables.readUInt32BE(offset + 12)));
    throw new Error(`${file} has no cmap table.`);
  } finally {
    closeSync(fd);
  }
}

function coverageOf(cmap: Buffer): Coverage {
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(4 + 8 * index + 4)),
  );
  const full = subtables.find((subtable) => subtable.readUInt16BE() === 12);
  if (full !== undefined) return coverageOf12(full);
  const basic = subtables.find((subtable) => subtable.readUInt16BE() === 4);
  if (basic !== undefined) return coverageOf4(basic);
  throw new Error("The font has no cmap of format 4 or 12.");
}

function coverageOf12(table: Buffer): Coverage {
  const count = table.readUInt32BE(12);
  const word = (group: number, index: number) => table.readUInt32BE(16 + 12 * group + 4 * index);
  // A binary search in the sorted groups for the last group that begins at or before the code point.
  return (codePoint) => {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (word(middle, 0) <= codePoint) low = middle + 1;
      else high = middle;
    }
    return low > 0 && codePoint <= word(low - 1, 1);
  };
}

function coverageOf4(table: Buffer): Coverage {
  const segCountX2 = table.readUInt16BE(6);
  const segments = Array.from({ length: segCountX2 / 2 }, (_, index) => {
    const offsetAt = 16 + 3 * segCountX2 + 2 * index;
    return {
      last: table.readUInt16BE(14 + 2 * index),
      first: table.readUInt16BE(16 + segCountX2 + 2 * index),
      delta: table.readUInt16BE(16 + 2 * segCountX2 + 2 * index),
      offset: table.readUInt16BE(offsetAt),
      offsetAt,
    };
  });
  return (codePoint) => {
    const segment = segments.find(({ last }) => codePoint <= last);
    if (segment === undefined || codePoint < segment.first) return false;
    const { first, delta, offset, offsetAt } = segment;
    const glyph = offset === 0 ? codePoint : table.readUInt16BE(offsetAt + offset + 2 * (codePoint - first));
    return glyph !== 0 && ((glyph + delta) & 0xffff) !== 0;
  };
}
