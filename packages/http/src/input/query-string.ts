import { isUtf8 } from "node:buffer";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";

/**
 * Parses a query string without its question mark. Throws 400 for control characters and for text that is not
 * percent-encoded UTF-8. URLSearchParams alone would insert replacement characters, or accept a stray percent sign.
 */
export function readQueryString(query: string): [string, string][] {
  const parameters = [...new URLSearchParams(query)];
  if (!suspect.test(query) && !parameters.some(([name, value]) => isDoubtful(name) || isDoubtful(value)))
    return parameters;
  for (const part of query.split("&")) requireEncoded(part);
  return parameters;
}

function requireEncoded(part: string): void {
  const [[name = "", value = ""] = []] = [...new URLSearchParams(part)];
  const problem = problemOf(part, name + value);
  if (problem === null) return;
  const quotedName = quoted(name);
  throw invalidRequest(`The ${quotedName} parameter ${problem}`, quotedName);
}

/** Describes the defect of an encoded text, as the rest of a sentence; null if the text is valid. */
function problemOf(encoded: string, decoded: string): string | null {
  if (!isUtf8(percentDecoded(encoded)))
    return "is not UTF-8. Percent-encode its UTF-8 bytes, as encodeURIComponent does: é is %C3%A9.";
  if (strayPercent.test(encoded))
    return "has a percent sign that begins no code of two hexadecimal digits; write %25 for a percent sign.";
  if (notAscii.test(encoded)) return "has bytes that are not percent-encoded, as encodeURIComponent does: é is %C3%A9.";
  return control.test(decoded) ? "must not contain control characters." : null;
}

const strayPercent = /%(?![\dA-Fa-f]{2})/;
const notAscii = /[\u0080-\uffff]/;
const suspect = /%(?![\dA-Fa-f]{2})|[\u0080-\uffff]/;
const control = /\p{Cc}/u;

const isDoubtful = (text: string): boolean => text.includes(replacement) || control.test(text);

const replacement = "\uFFFD";

/** Decodes a percent-encoded text to bytes. Node reads the target of a request as Latin-1. */
const percentDecoded = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    "latin1",
  );
