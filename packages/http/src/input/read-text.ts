import { invalidRequest } from "@beatmarket/foundation/errors.ts";

export const maxTextLength = 2_000;

/**
 * Checks a text for another person. Throws 400 if it is empty, too long, or has control characters except line ends.
 */
export function readText(text: string, field: string): string {
  const normalized = text.toWellFormed().replaceAll("\r\n", "\n").trim();
  if (normalized === "" || normalized.length > maxTextLength)
    throw invalidRequest(`The ${field} is a text of 1 to ${maxTextLength} characters.`, field);
  const controls = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
  if (controls.test(normalized.replaceAll("\n", "")))
    throw invalidRequest(
      `The ${field} has control characters, which cannot be displayed. Delete them, or type the text again.`,
      field,
    );
  return normalized;
}
