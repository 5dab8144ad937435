import { thousands } from "@beatmarket/foundation/text/counted.ts";
import { type Clause, clauses } from "./clauses.ts";
import type { Limits, TypeBounds } from "./limits.ts";

// Terms whose limits are not filled in yet. Pure.

/** The phrase for a limit; `{n}` is the number. */
export interface Phrase {
  /** The phrase for 0. If it is absent, `limited` is the phrase for 0. */
  none?: string | undefined;
  /** The phrase for 1. If it is absent, `limited` is the phrase for 1. */
  one?: string | undefined;
  limited: string;
  unlimited: string;
}
export type Phrases = Record<Clause, Phrase>;

/** The limits of one type of license. */
export interface TermsLimits {
  bounds: TypeBounds;
  phrases: Phrases;
}

/** Marks a line that the terms have only if at least one of `countedClauses` has a limit. */
export const limitedLine = "{if_limited}";
const countedClauses = ["copies", "streams", "videos", "radio_stations"] as const;

const phraseOf = ({ none, one, limited, unlimited }: Phrase, limit: number | null): string => {
  if (limit === null) return unlimited;
  const phraseOfLimit = { 0: none, 1: one }[limit] ?? limited;
  return phraseOfLimit.replaceAll("{n}", thousands(limit));
};

/** Fills the limits into the template. */
export function withLimits(template: string, phrases: Phrases, limits: Limits): string {
  const isLimited = countedClauses.some((name) => limits[name] !== null);
  return template
    .split("\n")
    .filter((line) => isLimited || !line.includes(limitedLine))
    .join("\n")
    .replaceAll(limitedLine, "")
    .replace(/\{([a-z_]+)\}/g, (placeholder, name: string) =>
      clauses.some((each) => each === name) ? phraseOf(phrases[name as Clause], limits[name as Clause]) : placeholder,
    );
}
