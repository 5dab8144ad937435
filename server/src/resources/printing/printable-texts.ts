import type { PrintableTexts } from "./document.ts";
import type { Coverage } from "./fonts.ts";
import { breakable, directionOf, printable } from "./printable.ts";

/** The texts of one document. */
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
