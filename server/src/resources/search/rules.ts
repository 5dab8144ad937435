import { isCorrectable, type TypedWord, wholeLexeme } from "../../text/search-words.ts";
import { allowedEdits, editDistance } from "./words/typing-errors.ts";

/** More words are a pasted text, not a typing error. */
const maxCorrectedWords = 8;
const maxCorrectionsOfWord = 50;
/** Combinations of corrections that are compared with whole titles and names. */
const maxWholes = 50;

/** A stored word that a typed word may stand for. */
interface Correction {
  word: string;
  edits: number;
}

/** By typed word; fewest edits first. */
export type Corrections = Map<string, Correction[]>;

/** The tsqueries of a search, as texts. Words are folded, so none can break the syntax. */
export interface Lookup {
  /** Everything that the search finds. */
  found: string;
  /** Matches of the text as typed. */
  asTyped: string;
  /** Each corrected word, as typed and one edit away. Matches of neither are two edits away. */
  words: { asTyped: string; oneEdit: string }[];
  /** The title, or a user's display name, equals the typed text. */
  titleIs: string;
  titleBegins: string;
  /** The title contains every word. */
  titleHas: string;
  /** The display name of the beat's producer equals the typed text. */
  producerIs: string;
}

/** The typed words that may contain typing errors. */
export function correctableOf(typed: TypedWord[]): string[] {
  const words = typed.filter(({ kind, text }) => kind === "word" && isCorrectable(text)).map(({ text }) => text);
  return Array.from(new Set(words)).slice(0, maxCorrectedWords);
}

/** Finds the stored words that each typed word may stand for. */
export function correctionsOf(typed: string[], stored: string[]): Corrections {
  const corrections: Corrections = new Map();
  for (const text of typed) {
    const near = stored
      .filter((word) => Math.abs(text.length - word.length) <= allowedEdits(text.length, word.length))
      .map((word) => ({ word, edits: editDistance(text, word) }))
      .filter(({ word, edits }) => edits > 0 && edits <= allowedEdits(text.length, word.length))
      .sort((a, b) => a.edits - b.edits || firstLetter(text, a.word) - firstLetter(text, b.word));
    if (near.length > 0) corrections.set(text, near.slice(0, maxCorrectionsOfWord));
  }
  return corrections;
}

/** People seldom mistype the first letter. */
const firstLetter = (typed: string, word: string): 0 | 1 => (typed[0] === word[0] ? 0 : 1);

/** Makes the queries of a search; undefined if the text contains nothing to search. */
export function lookupOf(typed: TypedWord[], corrections: Corrections = new Map()): Lookup | undefined {
  const required = typed.filter(({ kind }) => kind !== "ampersand");
  if (required.length === 0) return undefined;
  const meant = ({ text }: TypedWord): Correction[] => corrections.get(text) ?? [];
  const isLast = (word: TypedWord): boolean => word === required.at(-1);
  const withCorrections = (weight: Weight) =>
    allOf(
      required.map((word) =>
        anyOf([wordQuery(word, isLast(word), weight), ...meant(word).map(({ word }) => lexeme(word, weight))]),
      ),
    );
  const asTyped = allOf(required.map((word) => wordQuery(word, isLast(word), "")));
  const wholes = wholesOf(typed, corrections);
  // Numbers are exact: 1 80 is not 180.
  const orWhole = required.every(({ kind }) => kind === "number")
    ? ""
    : ` | ${anyOf(wholes.map((whole) => lexeme(whole)))}`;
  return {
    found: withCorrections("") + orWhole,
    asTyped: orWhole === "" ? asTyped : `${asTyped} | ${lexeme(wholeLexeme(typed.map(({ text }) => text)))}`,
    words: required
      .filter((word) => meant(word).length > 0)
      .map((word) => ({
        asTyped: wordQuery(word, isLast(word), ""),
        oneEdit: anyOf(
          meant(word)
            .filter(({ edits }) => edits === 1)
            .map(({ word }) => lexeme(word)),
        ),
      })),
    titleIs: anyOf(wholes.map((whole) => lexeme(whole, "A"))),
    titleBegins: anyOf(wholes.map((whole) => lexeme(whole, "*A"))),
    titleHas: withCorrections("A"),
    producerIs: anyOf(wholes.map((whole) => lexeme(whole, "B"))),
  };
}

/** The whole typed text as one lexeme, then with each combination of corrections, fewest edits first. */
function wholesOf(typed: TypedWord[], corrections: Corrections): string[] {
  let wholes: { texts: string[]; edits: number }[] = [{ texts: [], edits: 0 }];
  for (const { text } of typed) {
    const readings = [{ word: text, edits: 0 }, ...(corrections.get(text) ?? [])];
    wholes = wholes
      .flatMap(({ texts, edits }) => readings.map((r) => ({ texts: [...texts, r.word], edits: edits + r.edits })))
      .sort((a, b) => a.edits - b.edits)
      .slice(0, maxWholes);
  }
  return Array.from(new Set(wholes.map(({ texts }) => wholeLexeme(texts))));
}

type Weight = "" | "A";

function wordQuery(word: TypedWord, isLast: boolean, weight: Weight): string {
  if (word.kind === "pairs") return `(${word.pairs.map((pair) => lexeme(pair, weight)).join(" <-> ")})`;
  const beginsMore = word.kind === "character" || (isLast && word.kind === "word");
  return lexeme(word.text, beginsMore ? `*${weight}` : weight);
}

const lexeme = (text: string, flags = ""): string => (flags === "" ? `'${text}'` : `'${text}':${flags}`);
const allOf = (queries: string[]): string => queries.join(" & ");
/** No queries match nothing: no text has an empty whole. */
export const anyOf = (queries: string[]): string =>
  queries.length > 1 ? `(${queries.join(" | ")})` : (queries[0] ?? lexeme(wholeLexeme([])));
