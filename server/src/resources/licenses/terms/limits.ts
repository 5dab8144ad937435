import { type Clause, clauses } from "../../beats/licensing/clauses.ts";
import type { Limits, TypeBounds } from "../../beats/licensing/limits.ts";

// Terms whose limits are not filled in yet. Pure.

/** The phrase for a limit; `{n}` is the number. */
export interface Phrase {
  /** The phrase for 0; `limited` without it. */
  none?: string | undefined;
  /** The phrase for 1; `limited` without it. */
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

/** Marks a line that belongs to the terms only if a number is limited. */
export const limitedLine = "{if_limited}";
/** The clauses that the line depends on: all numbers but the term. */
const counted = ["copies", "streams", "videos", "radio_stations"] as const;

const phraseOf = ({ none, one, limited, unlimited }: Phrase, limit: number | null): string => {
  if (limit === null) return unlimited;
  const phrase = (limit === 0 ? none : limit === 1 ? one : undefined) ?? limited;
  return phrase.replaceAll("{n}", limit.toLocaleString("en-US"));
};

/** The terms with these limits. */
export function withLimits(template: string, phrases: Phrases, limits: Limits): string {
  const isLimited = counted.some((name) => limits[name] !== null);
  return template
    .split("\n")
    .filter((line) => isLimited || !line.includes(limitedLine))
    .join("\n")
    .replaceAll(limitedLine, "")
    .replace(/\{([a-z_]+)\}/g, (written, name: string) =>
      clauses.some((each) => each === name) ? phraseOf(phrases[name as Clause], limits[name as Clause]) : written,
    );
}
