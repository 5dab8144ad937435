// Parses numbers as people, spreadsheets and programs write them. Pure.

/** The character before the decimals. */
export type DecimalMark = "." | ",";

/** Why an amount is rejected. */
export type AmountProblem =
  /** In 1,299 the comma may separate thousands or decimals. */
  "unclear" | "negative" | "not an amount";

/**
 * How to read the only mark of a number such as 1,299 or 1.299. `.` or `,`: that character is the decimal mark.
 * `decimals` or `thousands`: what the mark separates. `unclear`: the number is rejected.
 */
type LoneMark = DecimalMark | "decimals" | "thousands" | "unclear";

const plain = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d{1,3})?$/i;
// The formats of most files, for a fast path.
const plainDecimal = /^\d+(?:\.\d+)?$/;
const plainCount = /^\d{1,15}$/;
const plainAmount = /^\d{1,9}(?:\.\d\d?)?$/;
/** Groups of three digits; in India groups of two before the last three. */
const thousands = { ".": /^\d{1,3}(\.\d{3})+$/, ",": /^(\d{1,3}(,\d{3})+|\d{1,2}(,\d{2})+,\d{3})$/ };
const gapThousands = /^(\d{1,3})((?: \d{3})+|(?:'\d{3})+|(?:_\d{3})+)(?![\d '_])/;
const fullWidth = /[\uff01-\uff5e]/g;
const otherDigit = /[\p{Nd}--[0-9]]/gv;
const gaps = /[\u00a0\u2007\u2009\u202f]/g;
const apostrophes = /[’‘ʼ´`]/g;
const minuses = /[−‐‑]/g;
/** Format characters, such as the direction marks that spreadsheets put around numbers. */
const invisible = /\p{Cf}/gu;

const currencyCodes = new Set(Intl.supportedValuesOf("currency"));
/** Excludes the cent sign, since 99 ¢ are not 99 units. */
const currencyBefore =
  /^([+-]?)(?:(?:[A-Z]{2} )?[A-Z]{0,3}(?![¢￠])\p{Sc}|kr\.?|Kr\.?|Kč|zł|Ft|S?Fr\.?|Rs\.?|Rp\.?|RM|TL|lei|лв\.?|руб\.?|р\.|грн\.?|円|元|원|[Ee]uros?|[Dd]ollars?|([A-Za-z]{3})|R) {0,3}/u;
const currencyAfter =
  /(?<=[\d.,-]) {0,3}(?:(?:[A-Z]{2} )?[A-Z]{0,3}(?![¢￠])\p{Sc}|kr\.?|Kr\.?|Kč|zł|Ft|S?Fr\.?|Rs\.?|Rp\.?|RM|R|TL|lei|лв\.?|руб\.?|р\.|грн\.?|円|元|원|[Ee]uros?|[Dd]ollars?|([A-Za-z]{3}))$/u;
// A dash that stands for zero cents: 29,- and 29.–; in India 29/-, in Sweden 29:-.
const dashForCents = /([.,])[-–—]{1,2}$/;
const otherDashForCents = /(\d)[/:]-$/;

/** A number without separators. */
interface Digits {
  sign: string;
  whole: string;
  fraction: string;
  exponent: string;
}

/**
 * Parses a number with a decimal point or comma, with or without thousands separators. Returns null for any other text.
 */
export function parseDecimal(text: string): number | null {
  if (plainDecimal.test(text)) return finite(Number(text));
  const trimmed = text.trim();
  if (plain.test(trimmed)) return finite(Number(trimmed.replace(",", ".")));
  const digits = readDigits(withAsciiSigns(trimmed), "decimals");
  return digits === null || digits === "unclear" ? null : numberOf(digits);
}

/** Parses a count of 0 or more, with or without thousands separators; 12.0 is 12. Returns null for any other text. */
export function parseCount(text: string): number | null {
  if (plainCount.test(text)) return Number(text);
  const digits = readDigits(withAsciiSigns(text), "thousands");
  const value = digits === null || digits === "unclear" ? null : numberOf(digits);
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Parses one to nine digits with at most two decimals after a point, as cents. Returns null for any other text. */
export const plainCents = (text: string): number | null =>
  plainAmount.test(text) ? Math.round(Number(text) * 100) : null;

/**
 * Parses an amount in whole units (29.90, $1,299.00, 29,90 €) and returns it in cents, or the reason why it is
 * rejected. Rounds to two decimals. Ignores the currency. If `mark` is set, an amount with another decimal mark is
 * rejected.
 */
export function readCents(text: string, mark?: DecimalMark): number | AmountProblem {
  const normalized = withAsciiSigns(text);
  const bracketed = /^\((.*)\)$/.exec(normalized)?.[1];
  const amount = withoutCurrency(
    (bracketed ?? normalized).replace(dashForCents, "$100").replace(otherDashForCents, "$1"),
  );
  const digits = readDigits(amount.replace(/^[+-]|-$/, ""), mark ?? "unclear");
  // A number with an exponent may be rounded by a spreadsheet.
  if (digits === null || (digits !== "unclear" && (digits.exponent !== "" || digits.sign !== "")))
    return "not an amount";
  if (bracketed !== undefined || amount.startsWith("-") || amount.endsWith("-")) return "negative";
  if (digits === "unclear") return "unclear";
  const { whole, fraction } = digits;
  return Number(whole + fraction.slice(0, 2).padEnd(2, "0")) + (Number(fraction[2] ?? 0) >= 5 ? 1 : 0);
}

const isCurrency = (code: string | undefined): boolean => code === undefined || currencyCodes.has(code.toUpperCase());

const withoutCurrency = (amount: string): string =>
  amount
    .replace(currencyBefore, (all: string, sign: string, code?: string) => (isCurrency(code) ? sign : all))
    .replace(currencyAfter, (all: string, code?: string) => (isCurrency(code) ? "" : all));

/** Replaces full-width characters, and digits and signs of other scripts, by ASCII. */
function withAsciiSigns(text: string): string {
  const trimmed = text.trim();
  if (/^[\0-\x7f]*$/.test(trimmed)) return trimmed;
  return trimmed
    .replace(fullWidth, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(otherDigit, asciiDigit)
    .replace(gaps, " ")
    .replace(apostrophes, "'")
    .replace(minuses, "-")
    .replace(invisible, "")
    .replaceAll("٫", ".")
    .replaceAll("٬", "'")
    .trim();
}

/** Replaces digits of other scripts by ASCII digits. */
export const withAsciiDigits = (text: string): string => text.replace(otherDigit, asciiDigit);

/** In Unicode the ten digits of a script are consecutive, so the number of digits before a digit gives its value. */
function asciiDigit(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - before - 1))) before++;
  return String(before % 10);
}

function readDigits(text: string, lone: LoneMark): Digits | "unclear" | null {
  const [, sign = "", body = "", exponent = ""] = /^([+-]?)\s?(.*?\d[.,]?)(?:e([+-]?\d{1,3}))?$/i.exec(text) ?? [];
  if (!/^[\d.,][\d., '_]*$/.test(body)) return null;
  const spaced = gapThousands.exec(body);
  const withoutGaps = spaced === null ? body : spaced[0].replace(/\D/g, "") + body.slice(spaced[0].length);
  if (/[^\d.,]/.test(withoutGaps)) return null;
  const parts = divide(withoutGaps, spaced === null ? lone : markAfterGaps(lone));
  return parts === null || parts === "unclear" ? parts : { sign, exponent, ...parts };
}

/** If spaces separate the thousands, a point or comma separates the decimals. */
const markAfterGaps = (lone: LoneMark): LoneMark => (lone === "." || lone === "," ? lone : "decimals");

/** Splits a text of digits and marks into its whole part and its fraction. */
function divide(text: string, lone: LoneMark): { whole: string; fraction: string } | "unclear" | null {
  const last = /[.,](?=[^.,]*$)/.exec(text);
  if (last === null) return /^\d+$/.test(text) ? { whole: text, fraction: "" } : null;
  const mark = last[0] as DecimalMark;
  const before = text.slice(0, last.index);
  const after = text.slice(last.index + 1);
  if (!/^\d*$/.test(after)) return null;
  const isOnly = !/[.,]/.test(before);
  const isDecimal = isOnly ? loneIsDecimal(text, mark, lone) : !before.includes(mark) && lone !== otherMark(mark);
  if (isDecimal === "unclear") return "unclear";
  if (!isDecimal) return thousands[mark].test(text) ? { whole: text.replace(/\D/g, ""), fraction: "" } : null;
  if (isOnly) return before + after === "" ? null : { whole: before, fraction: after };
  return thousands[otherMark(mark)].test(before) ? { whole: before.replace(/\D/g, ""), fraction: after } : null;
}

/** Whether the only mark of a text is a decimal mark. */
function loneIsDecimal(text: string, mark: DecimalMark, lone: LoneMark): boolean | "unclear" {
  if (lone === "." || lone === ",") return lone === mark;
  const mayBeThousands = /^[1-9]\d{0,2}[.,]\d{3}$/.test(text);
  if (!mayBeThousands) return true;
  return lone === "unclear" ? "unclear" : lone === "decimals";
}

const otherMark = (mark: DecimalMark): DecimalMark => (mark === "." ? "," : ".");

const numberOf = ({ sign, whole, fraction, exponent }: Digits): number | null =>
  finite(Number(`${sign}${whole || "0"}.${fraction || "0"}e${exponent || "0"}`));

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
