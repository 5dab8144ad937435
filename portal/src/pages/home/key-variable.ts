const maxLength = 24;

/**
 * The environment variable for a key of this name: WEBSITE_API_KEY for "Website". BEATMARKET_API_KEY for a name without
 * a Latin letter.
 */
export function keyVariable(keyName: string): string {
  const words = keyName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^[_0-9]+|_+$/g, "")
    .replace(/(^|_)(API_)?KEY$/, "");
  const whole = words.length <= maxLength ? words : words.slice(0, maxLength + 1).replace(/_[^_]*$/, "");
  return `${whole.slice(0, maxLength) || "BEATMARKET"}_API_KEY`;
}
