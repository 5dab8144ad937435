import { type ClauseName, clauseNames, clauses } from "../../beats/licensing/clauses.ts";
import { limitedLine } from "./limits.ts";

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

// Terms as data: the value of each clause (docs/clauses.md). Pure.

/**
 * `limit`: one of the limits. `files`: the files that the certificate names. Yes or no. A number: the maximum.
 * Territory: `world`, or countries by ISO 3166-1. Upgrade price: the day whose price counts.
 */
export type ClauseValue = "limit" | "files" | boolean | number | "world" | "purchase" | "today" | readonly string[];

export interface TermsClause {
  name: ClauseName;
  /** Its sentence in the terms, before limits and names are filled in. */
  text: string;
  value: ClauseValue;
}

/** The mark of a sentence in an operator's own terms, such as `{sublicense: no}`. It is not part of the text. */
const allMarks = /\{([a-z_]+): ([^{}\n]+)\} ?/g;

/** The terms without marks. */
export const withoutMarks = (text: string): string => text.replace(allMarks, "");

/** What an operator may write in a mark. */
export const markedClauses = clauseNames.filter((name) => name !== "files" && !clauses.some((each) => each === name));

/** The first mark with an unknown name or value; undefined without one. */
export const unknownMark = (text: string): string | undefined =>
  [...text.matchAll(allMarks)].find(([, name = "", markText = ""]) => markedValue(name, markText) === null)?.[0].trim();

/** The clauses of an operator's own terms: from their marks, and from the sentences with limits. */
export function clausesIn(text: string): TermsClause[] {
  const clauses = readBlocks(text).flatMap((block) => [...markedIn(block), ...limitedIn(block)]);
  return clauses.filter(({ name }, index) => clauses.findIndex((each) => each.name === name) === index);
}

function markedIn({ text }: Block): TermsClause[] {
  return [...text.matchAll(allMarks)].flatMap(([, name = "", markText = ""]) => {
    const value = markedValue(name, markText);
    return value === null ? [] : [{ name: name as ClauseName, text: sentence(text), value }];
  });
}

const limitedIn = ({ text }: Block): TermsClause[] =>
  clauses
    .filter((name) => text.includes(`{${name}}`))
    .map((name) => ({ name, text: sentence(text), value: "limit" as const }));

const sentence = (text: string): string => withoutMarks(text).replaceAll(limitedLine, "");

/** Null for an unknown value. */
function markedValue(name: string, markText: string): ClauseValue | null {
  if (!markedClauses.some((each) => each === name)) return null;
  if (name === "territory") {
    const countries = markText.split(",").map((code) => code.trim());
    return markText === "world" ? markText : countries.every((each) => /^[A-Z]{2}$/.test(each)) ? countries : null;
  }
  if (name === "upgrade_price") return markText === "purchase" || markText === "today" ? markText : null;
  if (name === "song" || name === "publishing") return /^\d{1,9}$/.test(markText) ? Number(markText) : null;
  return markText === "yes" ? true : markText === "no" ? false : null;
}
