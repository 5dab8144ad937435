import { join } from "node:path";
import type { PrintedDocument } from "../src/document.ts";

interface NamesPage {
  names: readonly string[];
}

/** A document with a page of strangers' names, for tests. */
export const document: PrintedDocument<NamesPage> = {
  template: join(import.meta.dirname, "names-page.typ"),
  standard: "a-2a",
  dateOf: () => new Date("2026-11-22T19:10:00Z"),
  layout: ({ names }, print) => ({
    title: "Names",
    names: names.map(print.name),
    boxes: print.lacksGlyphs ? "A box (\u25a1) stands for a character that these fonts do not have." : "",
  }),
};
