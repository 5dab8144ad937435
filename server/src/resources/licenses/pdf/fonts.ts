import { closeSync, openSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Beside the package's module in `dist/`; its exports do not name the files. */
const fontFile = (module: string, file: string): string => fileURLToPath(new URL(`../fonts/${file}`, module));

/** The fonts of a certificate, in the order in which a character is looked for. docs/decisions says why these. */
export const fontFiles: readonly string[] = [
  fontFile(import.meta.resolve("@embedpdf/fonts-latin"), "NotoSans-Regular.ttf"),
  fontFile(import.meta.resolve("@embedpdf/fonts-latin"), "NotoSans-SemiBold.ttf"),
  fontFile(import.meta.resolve("@embedpdf/fonts-hebrew"), "NotoSansHebrew-Regular.ttf"),
  fontFile(import.meta.resolve("@embedpdf/fonts-arabic"), "NotoNaskhArabic-Regular.ttf"),
  fontFile(import.meta.resolve("@embedpdf/fonts-kr"), "NotoSansKR-Regular.otf"),
  fontFile(import.meta.resolve("@embedpdf/fonts-jp"), "NotoSansJP-Regular.otf"),
  fontFile(import.meta.resolve("@embedpdf/fonts-sc"), "NotoSansHans-Regular.otf"),
  fileURLToPath(import.meta.resolve("@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf")),
];

/** Whether a font has a glyph for a code point. */
export type Coverage = (codePoint: number) => boolean;

/** Reads what a font covers from its `cmap` table (OpenType 1.9: formats 4 and 12), without the rest of the file. */
export function readCoverage(file: string): Coverage {
  const fd = openSync(file, "r");
  try {
    const read = (offset: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length);
      readSync(fd, bytes, 0, length, offset);
      return bytes;
    };
    const tables = read(12, read(4, 2).readUInt16BE() * 16);
    for (let at = 0; at < tables.length; at += 16)
      if (tables.toString("latin1", at, at + 4) === "cmap")
        return coverageOf(read(tables.readUInt32BE(at + 8), tables.readUInt32BE(at + 12)));
    throw new Error(`${file} has no cmap table.`);
  } finally {
    closeSync(fd);
  }
}

function coverageOf(cmap: Buffer): Coverage {
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(4 + 8 * index + 4)),
  );
  const full = subtables.find((its) => its.readUInt16BE() === 12);
  if (full !== undefined) return coverageOf12(full);
  const basic = subtables.find((its) => its.readUInt16BE() === 4);
  if (basic !== undefined) return coverageOf4(basic);
  throw new Error("The font has no cmap of format 4 or 12.");
}

function coverageOf12(table: Buffer): Coverage {
  const groups = Array.from({ length: table.readUInt32BE(12) }, (_, index) => ({
    first: table.readUInt32BE(16 + 12 * index),
    last: table.readUInt32BE(20 + 12 * index),
  }));
  return (codePoint) => groups.some(({ first, last }) => first <= codePoint && codePoint <= last);
}

function coverageOf4(table: Buffer): Coverage {
  const twice = table.readUInt16BE(6);
  const segments = Array.from({ length: twice / 2 }, (_, index) => {
    const offsetAt = 16 + 3 * twice + 2 * index;
    return {
      last: table.readUInt16BE(14 + 2 * index),
      first: table.readUInt16BE(16 + twice + 2 * index),
      delta: table.readUInt16BE(16 + 2 * twice + 2 * index),
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
