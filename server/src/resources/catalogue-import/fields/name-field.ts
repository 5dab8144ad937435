// What a text in a file becomes before it is stored.

const plain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\0-\x1f\x7f-\x9f\u2028\u2029]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const gaps = /[\0-\x1f\x7f-\x9f\u2028\u2029]+/g;
const misreadWindows1252 = /[\x80-\x9f]/g;
const outerGaps = /^[\s\u200b\u2060]+|[\s\u200b\u2060]+$/g;
/** Something to see: format characters, spaces and lone marks are nothing; so are the Hangul fillers, called letters. */
const visible = /[[\p{L}\p{N}\p{P}\p{S}\p{Mc}]--[\u115f\u1160\u3164\uffa0]]/v;
const format = /\p{Cf}/gu;

const windows1252 = new TextDecoder("windows-1252");

export interface CleanText {
  /** NFC, without spaces around it; "" when there is nothing to see in it. */
  text: string;
  /** Whether it had control characters: C1 ones became what Windows-1252 means by them, others a space. */
  hadControls: boolean;
}

/** Tidies a text. Direction marks and joiners stay: scripts and emoji need them. Pure. */
export function cleanText(given: string): CleanText {
  if (plain.test(given)) return { text: given, hadControls: false };
  const hadControls = control.test(given.trim());
  const text = (hadControls ? withoutControls(given) : given).normalize("NFC").replace(outerGaps, "");
  return { text: visible.test(text) ? text : "", hadControls };
}

const withoutControls = (text: string): string =>
  text
    .replace(misreadWindows1252, (character) => windows1252.decode(Uint8Array.of(character.charCodeAt(0))))
    .replace(gaps, " ");

/** By what two producers' names, or two genres' names, are the same: case, spacing and invisible characters aside. */
export const nameKey = (name: string): string =>
  name.replace(format, "").replace(/\s+/g, " ").trim().normalize("NFC").toLowerCase();
