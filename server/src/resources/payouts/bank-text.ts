/**
 * A text in the characters that every bank of SEPA takes (EPC217-08): Latin letters without accents, digits and some signs. Others become
 * a dot. At most 70 characters.
 */
export const bankText = (text: string): string =>
  text
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("Ø", "O")
    .replaceAll("ł", "l")
    .replaceAll("Ł", "L")
    .replaceAll("æ", "ae")
    .replaceAll("Æ", "Ae")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/g, ".")
    .slice(0, 70)
    .trim();
