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
    .slice(0, 30)
    .replace(/_+$/, "");
  return `${words === "" ? "BEATMARKET" : words.replace(/_?(API_)?KEY$/, "") || "BEATMARKET"}_API_KEY`;
}
