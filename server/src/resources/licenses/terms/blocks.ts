/** A paragraph of terms, whose names are not filled in yet. */
export interface Block {
  kind: "heading" | "paragraph" | "item";
  text: string;
}

/** The names that braces in terms may contain. The buyer is not among them: the public page shows the terms. */
export const termsNames = ["beat", "producer"] as const;
export type TermsNames = Record<(typeof termsNames)[number], string>;

/** The paragraphs below the title line: `## headings`, `- items`, and everything else up to an empty line. */
export function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let isOpen = false;
  for (const line of text.split("\n").slice(1)) {
    const mark = ["##", "-"].find((each) => line.startsWith(each));
    const words = line.slice(mark?.length ?? 0).trim();
    const last = blocks.at(-1);
    if (mark !== undefined) blocks.push({ kind: mark === "-" ? "item" : "heading", text: words });
    else if (isOpen && words !== "" && last !== undefined) last.text += ` ${words}`;
    else if (words !== "") blocks.push({ kind: "paragraph", text: words });
    isOpen = words !== "" && mark !== "##";
  }
  return blocks;
}

/** Fills in names, once: braces within a name stay as they are. */
export const withNames = (text: string, names: TermsNames): string =>
  text.replace(/\{(beat|producer)\}/g, (_, name: keyof TermsNames) => names[name]);
