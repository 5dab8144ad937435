import type { Range } from "../../query.ts";

/** A price in a text, and the rest of the text. */
export interface NamedPrice {
  priceCents: Range;
  /** The price as typed. */
  typed: string;
  rest: string;
  /** Whether it is written with a sign or a currency, so that it cannot be anything else. */
  isCertain: boolean;
}

/** Matches `under 20`, `<$20` and `at least 30 dollars`, but neither a tempo nor a part of a longer number. */
const pattern =
  /(?<![\w$€£<>=])(?:(?<most>(?:under|below|less than|cheaper than|up to|at most|max) |<=? ?)|(?<least>(?:over|above|more than|at least|from) |>=? ?))(?<before>[$€£] ?)?(?<number>\d{1,5}(?:\.\d{1,2})?)(?<after> ?(?:[$€£]|usd|eur|gbp|dollars?|euros?|pounds?|bucks)(?!\w))?(?! ?bpm|[\w.-])/iu;
/** `$30 or more`, `30 or less`. */
const orLess =
  /(?<![\w$€£])(?<before>[$€£] ?)?(?<number>\d{1,5}(?:\.\d{1,2})?)(?<after> ?(?:[$€£]|usd|eur|gbp|dollars?|euros?|pounds?|bucks)(?!\w))? or (?<direction>less|more)(?!\w)/iu;

/**
 * Reads a price in words or signs: `under 20`, `< $20`, `less than 25 dollars`, `$30 or more`. Returns undefined
 * without one.
 */
export function namedPrice(text: string): NamedPrice | undefined {
  const plain = text.replace(/\s+/g, " ");
  const match = pattern.exec(plain) ?? orLess.exec(plain);
  if (match === null) return undefined;
  const { before, after, number = "", most: upTo, least: from, direction } = match.groups ?? {};
  const cents = Math.round(Number(number) * 100);
  const isMost = upTo !== undefined || direction === "less";
  return {
    priceCents: isMost ? { max: cents } : { min: cents },
    typed: match[0].trim(),
    rest: `${plain.slice(0, match.index)} ${plain.slice(match.index + match[0].length)}`.trim(),
    isCertain: before !== undefined || after !== undefined || /[<>]/.test(upTo ?? from ?? ""),
  };
}
