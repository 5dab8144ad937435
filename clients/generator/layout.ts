/** The formatting style of a language. */
export interface LayoutStyle {
  /** One level of indentation. */
  indent: string;
  /** The text at the start of each line of a comment; for a block comment, also the lines before and after it. */
  comment: { line: string; open?: string; close?: string };
  /** The maximum length of a line, in characters. */
  columns?: number;
  /** The layout of a list that is longer than a line: one item on each line, or lines filled with items. */
  items?: "each" | "filled";
  /** The text after the last item of such a list. */
  lastComma?: "," | "";
}

/** Comments of PHPDoc and TypeScript. */
export const blockComment = { line: " * ", open: "/**", close: " */" };

/** Breaks generated code into lines, in the style of a language. */
export class Layout {
  readonly #style: Required<LayoutStyle>;

  constructor(style: LayoutStyle) {
    this.#style = { columns: 120, items: "each", lastComma: ",", ...style };
  }

  /** Whether a text is a single line that is not too long. */
  fits(line: string): boolean {
    return line.length <= this.#style.columns && !line.includes("\n");
  }

  /** Fills lines with words. The first line begins with `before`, the others with `hanging`. */
  fill(words: readonly string[], before: string, hanging = before): string[] {
    const [first = "", ...otherWords] = words;
    const lines = [before + first];
    for (const word of otherWords) {
      const longer = `${lines.at(-1)} ${word}`;
      if (this.fits(longer)) lines[lines.length - 1] = longer;
      else lines.push(hanging + word);
    }
    return lines;
  }

  /** Fills lines with the words of a text. */
  wrap(text: string, before: string, hanging = before): string[] {
    return this.fill(text.split(/\s+/), before, hanging);
  }

  /**
   * A comment with an empty line between paragraphs and sections; empty if there are none.
   * @param sections blocks of lines, in the form of the comment's lines
   */
  comment(paragraphs: readonly string[], indent = "", sections: readonly string[][] = []): string {
    const { line, open, close } = this.#style.comment;
    const texts = paragraphs.filter((text) => text !== "");
    const parts = [...texts.map((text) => this.wrap(text, indent + line)), ...sections];
    if (parts.length === 0) return "";
    const lines = parts.flatMap((part, index) => (index === 0 ? part : [(indent + line).trimEnd(), ...part]));
    const single = `${indent}${open} ${texts[0]}${close}`;
    const isSingle = texts.length === parts.length && texts.length === 1 && this.fits(single);
    if (open === undefined) return `${lines.join("\n")}\n`;
    return isSingle ? `${single}\n` : `${[indent + open, ...lines, indent + close].join("\n")}\n`;
  }

  /**
   * Items separated by commas between `before` and `after`, on one line or on several. The first line is not indented.
   * @param padding text around the items if they are on one line
   */
  list(before: string, items: readonly string[], after: string, indent = "", padding = ""): string {
    const single = `${before}${padding}${items.join(", ")}${padding}${after}`;
    if (items.length === 0 || this.fits(indent + single)) return single;
    const inner = indent + this.#style.indent;
    const last = items.length - 1;
    const lines = items.map((item, index) => `${item}${index < last ? "," : this.#style.lastComma}`);
    const broken = this.#style.items === "filled" ? this.fill(lines, inner) : lines.map((line) => inner + line);
    return [before, ...broken, indent + after].join("\n");
  }
}
