// Each expression takes steps in proportion to the text's length: none can match the same characters in two ways, and
// what begins a match (a quotation mark, &) cannot be inside the part that repeats. Names are judged after the match.
const key = /bm_[0-9A-Za-z]{40,}|whsec_[\w+/=-]{16,}|[srp]k_(?:live|test)_\w+/g;
const secretName = /passw|secret|token|signature|api[_-]?key|authorization|cvc|cvv/i;
/** `"password": "…"`. The JSON may be truncated. */
const jsonField = /("([\w%.[\]-]*)"\s*:\s*)("(?:[^"\\]|\\(?:.|$))*(?:"|$)|[^",}\]\s]+)/gs;
/** Fields in which people put card numbers, with whatever between the digits. */
const cardName = /card|payment/i;
const queryParameter = /((?:^|&)([\w%.[\]-]*)=)[^&]+/g;
/** A fast check: all patterns above imply this one, and most texts do not match it. */
const suspicious =
  /bm_|whsec_|[srp]k_|passw|secret|token|signature|api|authorization|cvc|cvv|card|payment|\d[\d +.%-]{10}/i;

/**
 * Redacts API keys, webhook secrets, passwords and card numbers from a text for logs and error messages. Keeps the last
 * four characters of keys and cards, so that their owner recognizes them. Linear in the length of the text.
 */
export function withoutSecrets(text: string): string {
  if (!suspicious.test(text)) return text;
  const redacted = text
    .replace(key, (found) => `…${found.slice(-4)}`)
    .replace(jsonField, (found, start: string, name: string, value: string) =>
      secretName.test(name) || (cardName.test(name) && isOddCardNumber(value)) ? `${start}"…"` : found,
    )
    .replace(queryParameter, (found, start: string, name: string) => (secretName.test(name) ? `${start}…` : found));
  return replaceCardNumbers(redacted, (found) => `…${found.slice(-4)}`);
}

/** A card number that `replaceCardNumbers` does not find, because of what is between its digits. */
const isOddCardNumber = (value: string): boolean => hasCardNumber(replaceCardNumbers(value, () => ""));

/** More characters than any secret needs to be recognized: a key, a card number in groups, a field's name and its quote. */
export const redactionMargin = 200;

/**
 * The first `maxLength` characters of a text without its secrets: also without one that ends behind the bound. Costs no
 * more for a longer text; one of `maxLength + redactionMargin` characters counts as cut there.
 */
export function clippedWithoutSecrets(text: string, maxLength: number): string {
  const reach = maxLength + redactionMargin;
  const redacted = withoutSecrets(text.slice(0, reach));
  // What the cut left of a secret is within the margin.
  const end = text.length < reach ? maxLength : Math.max(0, Math.min(maxLength, redacted.length - redactionMargin));
  return redacted.slice(0, end).toWellFormed();
}

/** A caller's text as a message quotes it: clipped, and without secrets. */
export function quoted(text: string, maxLength = 60): string {
  const shown = clippedWithoutSecrets(text, maxLength);
  return text.length > maxLength && !shown.endsWith("…") ? `${shown}…` : shown;
}

/**
 * Digits of a payment card: 12 to 19, also in groups with a space or dash between (as a URL encodes them, too), or four
 * groups of four with dots.
 */
const cardDigits = /\d(?:(?:[ +-]|%20)?\d){11,18}|\d{4}(?:\.\d{4}){3}/g;

/** Replaces each card number of a text (12 to 19 digits with a Luhn checksum) by what `replace` returns for it. */
const replaceCardNumbers = (text: string, replace: (found: string) => string): string =>
  text.replace(cardDigits, (found) => (hasLuhnChecksum(digitsOf(found)) ? replace(found) : found));

/** Whether a text is a card number, or has one with nothing but spaces and punctuation around it. */
export function hasCardNumber(text: string): boolean {
  const plain = text.normalize("NFKC");
  if (!/\p{L}/u.test(plain) && isCardNumber(digitsOf(plain))) return true;
  for (const { 0: found, index } of plain.matchAll(cardDigits))
    if (
      !isAlphanumeric(plain[index - 1]) &&
      !isAlphanumeric(plain[index + found.length]) &&
      isCardNumber(digitsOf(found))
    )
      return true;
  return false;
}

const isCardNumber = (digits: string): boolean => digits.length >= 12 && digits.length <= 19 && hasLuhnChecksum(digits);

const isAlphanumeric = (character: string | undefined): boolean =>
  character !== undefined && /[0-9A-Za-z]/.test(character);

const digitsOf = (text: string): string => text.replaceAll("%20", "").replaceAll(/[^0-9]/g, "");

/** ISO/IEC 7812-1, annex B. Other long numbers, such as ids, pass it one time in ten. */
function hasLuhnChecksum(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]) * (place % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
