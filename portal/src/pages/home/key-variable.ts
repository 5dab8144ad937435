const maxLength = 24;

/**
 * The environment variable that a program of this name would keep its key in: "Website" is WEBSITE_API_KEY. Names without
 * a letter that such variables may have are BEATMARKET_API_KEY.
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
