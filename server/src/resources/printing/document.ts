/** A kind of document, as the thread that prints knows it: the `document` of a module. */
export interface PrintedDocument<Facts> {
  /** The file of Typst's source. All texts come to it from `layout`, as JSON: nothing of a stranger is ever part of the source. */
  template: string;
  /** 2a has tags for screen readers; 3a takes attached files, too. */
  standard: "a-2a" | "a-3a";
  /** Which time the file names as its own, so that the same facts are the same file. */
  dateOf(facts: Facts): Date;
  layout(facts: Facts, print: PrintableTexts): object;
  /** What Typst cannot write into the file. */
  finish?(pdf: Uint8Array<ArrayBuffer>, facts: Facts): Uint8Array<ArrayBuffer>;
}

/** A text that a template sets on a line, with its direction. */
export interface PrintedName {
  text: string;
  direction: "rtl" | "ltr";
}

/** Makes strangers' texts printable by the fonts of one document. */
export interface PrintableTexts {
  clean(text: string): string;
  name(text: string): PrintedName;
  /** Whether a text had a character that no font has, which is a box now. */
  readonly lacksGlyphs: boolean;
}
