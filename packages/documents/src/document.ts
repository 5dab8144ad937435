/** A kind of document for the printing thread: the `document` of a module. */
export interface PrintedDocument<Facts> {
  /**
   * The path of the Typst source. Typst gets all texts from `layout` as JSON: no text of a stranger is part of the
   * source.
   */
  template: string;
  /** 2a has tags for screen readers; 3a also allows attached files. */
  standard: "a-2a" | "a-3a";
  /** The creation time in the file, so that the same facts give the same file. */
  dateOf(facts: Facts): Date;
  layout(facts: Facts, print: PrintableTexts): object;
  /** Adds to the file what Typst cannot write. */
  finish?(pdf: Uint8Array<ArrayBuffer>, facts: Facts): Uint8Array<ArrayBuffer>;
}

/** A text for one line of a template, with its direction. */
export interface PrintedName {
  text: string;
  direction: "rtl" | "ltr";
}

/** Converts strangers' texts to characters that the fonts have. One object for each document. */
export interface PrintableTexts {
  clean(text: string): string;
  name(text: string): PrintedName;
  /** Whether a text so far had a character without a glyph, which is printed as a box. */
  readonly lacksGlyphs: boolean;
}
