/** How a language breaks its lines. */
export interface LayoutStyle {
  /** One level of indentation. */
  indent: string;
  /** What begins each line of a comment, and for a block what stands before and after these lines. */
  comment: { line: string; open?: string; close?: string };
  /** Characters of the longest line. */
  columns?: number;
  /** The items of a list that is longer than a line: one on each line, or lines that are as full as they can be. */
  items?: "each" | "filled";
  /** What stands after the last of these items. */
  lastComma?: "," | "";
}

/** A comment of PHPDoc and of TypeScript. */
export const blockComment = { line: " * ", open: "/**", close: " */" };

/** Breaks generated code into lines, in the style of a language. */
export class Layout {
  readonly #style: Required<LayoutStyle>;

  constructor(style: LayoutStyle) {
    this.#style = { columns: 120, items: "each", lastComma: ",", ...style };
  }

  /** Whether it is one line that is not too long. */
  fits(line: string): boolean {
    return line.length <= this.#style.columns && !line.includes("\n");
  }

  /** Words in lines that are as full as they can be. The first begins with `before`, the others with `hanging`. */
  fill(words: readonly string[], before: string, hanging = before): string[] {
    const [first = "", ...others] = words;
    const lines = [before + first];
    for (const word of others) {
      const longer = `${lines.at(-1)} ${word}`;
      if (this.fits(longer)) lines[lines.length - 1] = longer;
      else lines.push(hanging + word);
    }
    return lines;
  }

  /** A text in such lines. */
  wrap(text: string, before: string, hanging = before): string[] {
    return this.fill(text.split(/\s+/), before, hanging);
  }

  /**
   * A comment with an empty line between paragraphs and sections. Empty without any.
   * @param sections lines that begin as those of a comment
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
   * Items with commas between `before` and `after`, on one line or on several. The first line has no indentation.
   * @param padding what stands around the items of one line
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
