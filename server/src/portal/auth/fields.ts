import { maxPasswordLength, minPasswordLength } from "@beatmarket/authentication/password-hashing.ts";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import Type from "typebox";

// Schemas and parsers of request fields that several routes share.

export const emailField = Type.String({
  minLength: 1,
  maxLength: 254,
  description: "An e-mail address, in upper or lower case.",
});
export const passwordField = Type.String({ minLength: 1, maxLength: maxPasswordLength, "x-verbatim": true });
export const newPasswordField = Type.String({
  minLength: minPasswordLength,
  maxLength: maxPasswordLength,
  "x-verbatim": true,
});
export const linkToken = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "The token of the mailed link: its part after `#`.",
});
const nextPattern = /^\/(?![/\\])[^\\\s]*$/;

/** The page to which a mailed link finally leads. Only a path, so that no link leads to another site. */
export const nextField = Type.String({
  maxLength: 500,
  pattern: nextPattern.source,
  description: "The page to open after signing in: its path below `/portal`, or the path of a public page.",
});
/** Binary data in base64url, the encoding of WebAuthn in JSON. */
export const bytesField = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "^[A-Za-z0-9_-]+$" });

const emailPattern = /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/** Returns a mail address in lower case. Throws 400 if the text is not a mail address. */
export function readEmail(text: string): string {
  const address = text.trim().toLowerCase();
  if (!emailPattern.test(address))
    throw invalidRequest("The email field must be an e-mail address such as name@example.com.", "email");
  return address;
}

/** Throws 400 unless the value is undefined or a path of this site. */
export function readNext(next: string | undefined): string | undefined {
  if (next === undefined || nextPattern.test(next)) return next;
  throw invalidRequest(
    "The next field must be a path of the portal or of a public page, such as /market/beats/7?buy=basic.",
    "next",
  );
}
