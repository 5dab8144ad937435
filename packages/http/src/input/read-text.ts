import { invalidRequest } from "@beatmarket/foundation/errors.ts";

export const maxTextLength = 2_000;

/**
 * Validates a text that another person will read. Returns it trimmed, with line ends as \n. Throws 400 if it is empty,
 * longer than `maxTextLength`, or has control characters (except line ends) or characters that change the direction of
 * text.
 */
export function readText(text: string, field: string): string {
  const normalized = text.toWellFormed().replaceAll("\r\n", "\n").trim();
  if (normalized === "" || normalized.length > maxTextLength)
    throw invalidRequest(`The ${field} is a text of 1 to ${maxTextLength} characters.`, field);
  const controls = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
  if (controls.test(normalized.replaceAll("\n", "")))
    throw invalidRequest(
      `The ${field} has control characters, or characters that change the direction of text. Delete them, or type the text again.`,
      field,
    );
  return normalized;
}
