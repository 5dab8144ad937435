import { invalidRequest } from "@beatmarket/foundation/errors.ts";

const maxReasonLength = 300;

/** Why an operator did something, as a sentence. Throws 400 for a text that is empty or too long. */
export function readReason(text: string): string {
  const reason = text.trim().replaceAll(/\s+/g, " ");
  if (reason === "" || reason.length > maxReasonLength)
    throw invalidRequest(
      `The reason is a sentence of 1 to ${maxReasonLength} characters, which the account's owner reads.`,
      "reason",
    );
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
