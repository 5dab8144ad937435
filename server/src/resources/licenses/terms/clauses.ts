import { type ClauseName, clauseNames, clauses } from "../../beats/licensing/clauses.ts";
import { type Block, readBlocks } from "./blocks.ts";
import { limitedLine } from "./limits.ts";

// Terms as data: what each of their clauses allows (docs/clauses.md). Pure.

/**
 * `limit`: its number among the limits. `files`: the files that the certificate names. Yes or no. A number: up to it. Territory:
 * `world`, or countries by ISO 3166-1.
 */
export type ClauseValue = "limit" | "files" | boolean | number | "world" | readonly string[];

export interface TermsClause {
  name: ClauseName;
  /** Its sentence in the terms, as they have it before limits and names are filled in. */
  text: string;
  value: ClauseValue;
}

/** Says what a sentence of an operator's own terms allows: `{sublicense: no}`. It is not part of the text. */
const allMarks = /\{([a-z_]+): ([^{}\n]+)\} ?/g;

/** The terms without marks. */
export const withoutMarks = (text: string): string => text.replace(allMarks, "");

/** What an operator may write in a mark. */
export const markedClauses = clauseNames.filter((name) => name !== "files" && !clauses.some((each) => each === name));

/** The first mark that says nothing known; undefined without one. */
export const unknownMark = (text: string): string | undefined =>
  [...text.matchAll(allMarks)].find(([, name = "", said = ""]) => markedValue(name, said) === null)?.[0].trim();

/** The clauses of terms of an operator's own: what their marks say, and the sentences that limits are filled in to. */
export function clausesIn(text: string): TermsClause[] {
  const found = readBlocks(text).flatMap((block) => [...markedIn(block), ...limitedIn(block)]);
  return found.filter(({ name }, index) => found.findIndex((each) => each.name === name) === index);
}

function markedIn({ text }: Block): TermsClause[] {
  return [...text.matchAll(allMarks)].flatMap(([, name = "", said = ""]) => {
    const value = markedValue(name, said);
    return value === null ? [] : [{ name: name as ClauseName, text: sentence(text), value }];
  });
}

const limitedIn = ({ text }: Block): TermsClause[] =>
  clauses
    .filter((name) => text.includes(`{${name}}`))
    .map((name) => ({ name, text: sentence(text), value: "limit" as const }));

const sentence = (text: string): string => withoutMarks(text).replaceAll(limitedLine, "");

/** Null for what is not known. */
function markedValue(name: string, said: string): ClauseValue | null {
  if (!markedClauses.some((each) => each === name)) return null;
  if (name === "territory") {
    const countries = said.split(",").map((code) => code.trim());
    return said === "world" ? said : countries.every((each) => /^[A-Z]{2}$/.test(each)) ? countries : null;
  }
  if (name === "song" || name === "publishing") return /^\d{1,9}$/.test(said) ? Number(said) : null;
  return said === "yes" ? true : said === "no" ? false : null;
}
