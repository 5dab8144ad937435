import type { Range } from "../../query.ts";

/** A price that a text names, and the text without it. */
export interface NamedPrice {
  priceCents: Range;
  /** As it was typed. */
  typed: string;
  rest: string;
  /** Written with a sign or a currency: it can be nothing else. */
  isCertain: boolean;
}

const amount = String.raw`(?<before>[$€£]\s?)?(?<number>\d{1,5}(?:\.\d{1,2})?)(?<after>\s?(?:[$€£]|usd|eur|gbp|dollars?|euros?|pounds?|bucks)(?![\w]))?`;
const most = String.raw`(?<most>(?:under|below|less than|cheaper than|up to|at most|max)\s+|<=?\s?)`;
const least = String.raw`(?<least>(?:over|above|more than|at least|from)\s+|>=?\s?)`;
/** Not a tempo, and no part of a longer number. */
const pattern = new RegExp(String.raw`(?<![\w$€£<>=])(?:${most}|${least})${amount}(?!\s?bpm|[\w.-])`, "iu");
const orLess = new RegExp(String.raw`(?<![\w$€£])${amount}\s+or\s+(?<way>less|more)(?!\w)`, "iu");

/** Reads a price in words or signs: `under 20`, `< $20`, `less than 25 dollars`, `$30 or more`. Undefined if there is none. */
export function namedPrice(text: string): NamedPrice | undefined {
  const found = pattern.exec(text) ?? orLess.exec(text);
  if (found === null) return undefined;
  const { before, after, number = "", most: upTo, least: from, way } = found.groups ?? {};
  const cents = Math.round(Number(number) * 100);
  const isMost = upTo !== undefined || way === "less";
  return {
    priceCents: isMost ? { max: cents } : { min: cents },
    typed: found[0].trim(),
    rest: `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`.trim(),
    isCertain: before !== undefined || after !== undefined || /[<>]/.test(upTo ?? from ?? ""),
  };
}
