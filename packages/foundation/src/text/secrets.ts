// Each expression runs in linear time: no expression can match the same characters in two ways, and the character that
// starts a match (a quotation mark, &) cannot occur in the part that repeats. Names are checked after the match.
const key = /bm_(?:test_[0-9a-z]{16}_)?[0-9A-Za-z]{40,}|whsec_[\w+/=-]{16,}|[srp]k_(?:live|test)_\w+/g;
const secretName = /passw|secret|token|signature|api[_-]?key|authorization|cvc|cvv/i;
/** `"password": "…"`. The JSON may be truncated. */
const jsonField = /("([\w%.[\]-]*)"\s*:\s*)("(?:[^"\\]|\\(?:.|$))*(?:"|$)|[^",}\]\s]+)/gs;
/** Fields in which people put card numbers, with any separators between the digits. */
const cardName = /card|payment/i;
const queryParameter = /((?:^|&)([\w%.[\]-]*)=)[^&]+/g;
/** A fast check: most texts do not match. Every text that matches a pattern above also matches this pattern. */
const suspicious =
  /bm_|whsec_|[srp]k_|passw|secret|token|signature|api|authorization|cvc|cvv|card|payment|\d[\d +.%-]{10}/i;

/**
 * Redacts API keys, webhook secrets, fields with secret names such as `password`, and card numbers from a text for logs
 * and error messages. Keeps the last four characters of a key, or of a card number with usual separators, so that the
 * owner recognizes it. Runs in linear time.
 */
export function withoutSecrets(text: string): string {
  if (!suspicious.test(text)) return text;
  const redacted = text
    .replace(key, (match) => `…${match.slice(-4)}`)
    .replace(jsonField, (match, start: string, name: string, value: string) =>
      secretName.test(name) || (cardName.test(name) && hasUnusualCardNumber(value)) ? `${start}"…"` : match,
    )
    .replace(queryParameter, (match, start: string, name: string) => (secretName.test(name) ? `${start}…` : match));
  return replaceCardNumbers(redacted, (match) => `…${match.slice(-4)}`);
}

/** Whether a value has a card number with separators that `replaceCardNumbers` does not know. */
const hasUnusualCardNumber = (value: string): boolean => hasCardNumber(replaceCardNumbers(value, () => ""));

/** This many characters suffice to recognize a secret: a key, a grouped card number, or the name of a field. */
export const redactionMargin = 200;

/**
 * The first `maxLength` characters of a text, redacted. Also redacts a secret that extends beyond `maxLength`. Reads at
 * most `maxLength + redactionMargin` characters, and treats a text of that length as truncated.
 */
export function clippedWithoutSecrets(text: string, maxLength: number): string {
  const readLength = maxLength + redactionMargin;
  const redacted = withoutSecrets(text.slice(0, readLength));
  // A secret that was cut in two at `readLength` begins within the margin before it.
  const end =
    text.length < readLength ? maxLength : Math.max(0, Math.min(maxLength, redacted.length - redactionMargin));
  return redacted.slice(0, end).toWellFormed();
}

/** Clips and redacts a caller's text, for a quotation in a message. */
export function quoted(text: string, maxLength = 60): string {
  const excerpt = clippedWithoutSecrets(text, maxLength);
  return text.length > maxLength && !excerpt.endsWith("…") ? `${excerpt}…` : excerpt;
}

/**
 * The digits of a payment card: 12 to 19 digits, or groups of them with spaces or dashes between (also URL-encoded), or
 * four groups of four with dots between.
 */
const cardDigits = /\d(?:(?:[ +-]|%20)?\d){11,18}|\d{4}(?:\.\d{4}){3}/g;

/** Replaces each card number of a text (12 to 19 digits with a Luhn checksum) by the result of `replace`. */
const replaceCardNumbers = (text: string, replace: (cardNumber: string) => string): string =>
  text.replace(cardDigits, (match) => (hasLuhnChecksum(digitsOf(match)) ? replace(match) : match));

/**
 * Whether the digits of a text without letters form a card number, or the text contains a card number without a letter
 * or digit next to it.
 */
export function hasCardNumber(text: string): boolean {
  const plain = text.normalize("NFKC");
  if (!/\p{L}/u.test(plain) && isCardNumber(digitsOf(plain))) return true;
  for (const { 0: match, index } of plain.matchAll(cardDigits))
    if (
      !isAlphanumeric(plain[index - 1]) &&
      !isAlphanumeric(plain[index + match.length]) &&
      isCardNumber(digitsOf(match))
    )
      return true;
  return false;
}

const isCardNumber = (digits: string): boolean => digits.length >= 12 && digits.length <= 19 && hasLuhnChecksum(digits);

const isAlphanumeric = (character: string | undefined): boolean =>
  character !== undefined && /[0-9A-Za-z]/.test(character);

const digitsOf = (text: string): string => text.replaceAll("%20", "").replaceAll(/[^0-9]/g, "");

/** ISO/IEC 7812-1, annex B. One in ten other long numbers, such as ids, also passes. */
function hasLuhnChecksum(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]) * (place % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
