const key = /bm_[0-9A-Za-z]{40,}|whsec_[\w+/=-]{16,}|[srp]k_(?:live|test)_\w+/g;
const name = "[\\w%.[\\]-]*(?:passw|secret|token|api[_-]?key|authorization|cvc|cvv)[\\w%.[\\]-]*";
/** `"password": "…"`. The JSON may be truncated. */
const jsonField = new RegExp(`("${name}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*("|$)|[^",}\\]\\s]+)`, "gi");
const queryParameter = new RegExp(`((?:^|&)${name}=)[^&]+`, "gi");
const cardNumber = /\d(?:[ -]?\d){11,18}/g;
/** A fast check: all patterns above imply this one, and most texts do not match it. */
const suspicious = /bm_|whsec_|[srp]k_|passw|secret|token|api|authorization|cvc|cvv|\d[\d -]{10}/i;

/**
 * Redacts API keys, webhook secrets, passwords and card numbers from a text for logs and error messages. Keeps the last
 * four characters of keys and cards, so that their owner recognizes them.
 */
export function withoutSecrets(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .replace(key, (found) => `…${found.slice(-4)}`)
    .replace(jsonField, '$1"…"')
    .replace(queryParameter, "$1…")
    .replace(cardNumber, (found) => (isCardNumber(found) ? `…${found.slice(-4)}` : found));
}

/** Checks the Luhn checksum, so that other long numbers, such as ids, stay readable. */
function isCardNumber(text: string): boolean {
  let sum = 0;
  const digits = text.replaceAll(/[ -]/g, "");
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]) * (place % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
