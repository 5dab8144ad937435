import { type ClauseName, clauseNames, clauses } from "./clauses.ts";
import { limitedLine } from "./phrases.ts";

/** A part of a terms text, before the names are filled in. */
export interface Block {
  kind: "heading" | "paragraph" | "item";
  text: string;
}

/**
 * The names that braces in terms may contain: the work, and its licensor. The licensee's name is not allowed, because
 * terms are shown in public.
 */
export const termsNames = ["beat", "producer"] as const;
export type TermsNames = Record<(typeof termsNames)[number], string>;

/** Returns the blocks below the title line: `## headings`, `- items`, and paragraphs, which end at an empty line. */
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

/** Fills in the names. Braces within a name stay unchanged. */
export const withNames = (text: string, names: TermsNames): string =>
  text.replace(/\{(beat|producer)\}/g, (_, name: keyof TermsNames) => names[name]);

// Terms as data: the value of each clause (docs/clauses.md). Pure.

/**
 * `limit`: one of the limits. `files`: the files that the certificate names. A boolean: allowed or not. A number: the
 * maximum. For the territory: `world`, or country codes of ISO 3166-1. For the upgrade price: the day whose price
 * counts.
 */
export type ClauseValue = "limit" | "files" | boolean | number | "world" | "purchase" | "today" | readonly string[];

export interface TermsClause {
  name: ClauseName;
  /** The sentence in the terms, before limits and names are filled in. */
  text: string;
  value: ClauseValue;
}

/** Matches a mark in an operator's own terms, such as `{sublicense: no}`. A mark is not part of the text. */
const marks = /\{([a-z_]+): ([^{}\n]+)\} ?/g;

export const withoutMarks = (text: string): string => text.replace(marks, "");

/** The clauses that an operator may write in a mark. */
export const markedClauses = clauseNames.filter((name) => name !== "files" && !clauses.some((each) => each === name));

/** Returns the first mark with an unknown name or value, and undefined if every mark is known. */
export const unknownMark = (text: string): string | undefined =>
  [...text.matchAll(marks)].find(([, name = "", markText = ""]) => markedValue(name, markText) === null)?.[0].trim();

/** Returns the clauses of an operator's own terms: clauses with a mark, and sentences with a limit. */
export function clausesIn(text: string): TermsClause[] {
  const clauses = readBlocks(text).flatMap((block) => [...markedClausesOf(block), ...limitedClausesOf(block)]);
  return clauses.filter(({ name }, index) => clauses.findIndex((each) => each.name === name) === index);
}

function markedClausesOf({ text }: Block): TermsClause[] {
  return [...text.matchAll(marks)].flatMap(([, name = "", markText = ""]) => {
    const value = markedValue(name, markText);
    return value === null ? [] : [{ name: name as ClauseName, text: sentence(text), value }];
  });
}

const limitedClausesOf = ({ text }: Block): TermsClause[] =>
  clauses
    .filter((name) => text.includes(`{${name}}`))
    .map((name) => ({ name, text: sentence(text), value: "limit" as const }));

const sentence = (text: string): string => withoutMarks(text).replaceAll(limitedLine, "");

/** Returns null for an unknown name or value. */
function markedValue(name: string, markText: string): ClauseValue | null {
  if (!markedClauses.some((each) => each === name)) return null;
  if (name === "territory") {
    const countries = markText.split(",").map((code) => code.trim());
    if (markText === "world") return markText;
    return countries.every((each) => /^[A-Z]{2}$/.test(each)) ? countries : null;
  }
  if (name === "upgrade_price") return markText === "purchase" || markText === "today" ? markText : null;
  if (name === "song" || name === "publishing") return /^\d{1,9}$/.test(markText) ? Number(markText) : null;
  if (markText === "yes") return true;
  return markText === "no" ? false : null;
}
