const key = /bm_[0-9A-Za-z]{40,}|whsec_[\w+/=-]{16,}|[srp]k_(?:live|test)_\w+/g;
const name = "[\\w%.[\\]-]*(?:passw|secret|token|api[_-]?key|authorization|cvc|cvv)[\\w%.[\\]-]*";
/** `"password": "…"` of JSON, cut or not, and `password=…` of a query. */
const jsonField = new RegExp(`("${name}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*("|$)|[^",}\\]\\s]+)`, "gi");
const queryParameter = new RegExp(`((?:^|&)${name}=)[^&]+`, "gi");
const cardNumber = /\d(?:[ -]?\d){11,18}/g;
/** Nothing without one of these can match any of the above; most texts have none. */
const suspicious = /bm_|whsec_|[srp]k_|passw|secret|token|api|authorization|cvc|cvv|\d[\d -]{10}/i;

/**
 * A text as a log may keep it and an error repeat it: API keys, webhook secrets, passwords and numbers of cards that somebody sent where
 * they do not belong are left out, but for the last four characters of keys and cards, by which their owner knows them.
 */
export function withoutSecrets(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .replace(key, (found) => `…${found.slice(-4)}`)
    .replace(jsonField, '$1"…"')
    .replace(queryParameter, "$1…")
    .replace(cardNumber, (found) => (isCardNumber(found) ? `…${found.slice(-4)}` : found));
}

/** By the checksum of Luhn: other long numbers, such as ids, are left as they are. */
function isCardNumber(text: string): boolean {
  let sum = 0;
  const digits = text.replaceAll(/[ -]/g, "");
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]) * (place % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
