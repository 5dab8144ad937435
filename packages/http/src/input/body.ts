import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";
import { quoted } from "@beatmarket/foundation/text/secrets.ts";
import type { TObject } from "typebox";
import { kindOf, readValues } from "./validate.ts";

/**
 * Parses a JSON body and validates it strictly against its schema. Throws 415 if the Content-Type is not JSON in UTF-8,
 * 400 if the body is not a JSON object or repeats a field, and the errors of `readValues`.
 */
export const readBody = (
  schema: TObject,
  contentType: string | undefined,
  bytes: Buffer | undefined,
): Record<string, unknown> => readValues("field", schema, Object.entries(parseObject(contentType, bytes)));

function parseObject(contentType: string | undefined, bytes: Buffer | undefined): object {
  if (bytes === undefined || bytes.length === 0)
    throw invalidRequest("The body is empty; a JSON object is expected, with Content-Type: application/json.");
  if (!/^application\/json *(;|$)/i.test(contentType ?? ""))
    throw new ApiError(
      415,
      "invalid_request",
      "Unsupported media type",
      "Send the body as JSON with Content-Type: application/json.",
    );
  requireUtf8(contentType ?? "");
  const text = decodeUtf8(bytes);
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidRequest(`The body must be a JSON object; it is ${kindOf(value)}.`);
  const repeated = repeatedField(text);
  if (repeated !== null)
    throw invalidRequest(`The ${quoted(repeated)} field was given more than once.`, quoted(repeated));
  return value;
}

/**
 * Throws 415 for a body with a content coding (RFC 9110 8.4). No coding is decoded, so that the size limit applies to
 * the received bytes.
 */
export function requireNoCoding(coding: string | undefined): void {
  if (coding === undefined || /^[\s,]*(identity[\s,]*)*$/i.test(coding)) return;
  throw new ApiError(
    415,
    "invalid_request",
    "Unsupported media type",
    `The Content-Encoding header names ${JSON.stringify(quoted(coding))}; send the body as it is, without Content-Encoding.`,
    { headers: { "accept-encoding": "identity" } },
  );
}

/** Throws 415 for another charset than UTF-8, which JSON requires (RFC 8259 8.1). */
function requireUtf8(contentType: string): void {
  for (const [, charset = ""] of contentType.matchAll(/; *charset *= *("[^"]*"|[^;]*)/gi))
    if (!/^"?utf-?8"?$/i.test(charset.trim()))
      throw new ApiError(
        415,
        "invalid_request",
        "Unsupported media type",
        `The Content-Type header names the charset ${JSON.stringify(quoted(charset.trim()))}; JSON is read as UTF-8 only.`,
      );
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest("The body is not valid UTF-8, which JSON must be.");
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Removes the excerpt, which may contain part of a secret.
    const reason = (error as Error).message.replace(/, (?:\.{3})?".*$/s, "");
    throw invalidRequest(`The body is not valid JSON: ${reason}.`);
  }
}

/** The next token of a JSON text: a string (a name if a colon follows), a bracket, or other text. */
const jsonToken = /(?<name>"(?:[^"\\]|\\.)*")(?=(?<colon>\s*:)?)|[[\]{}]|[^"[\]{}]+/gy;

/** Returns the first repeated name of the outermost object in a valid JSON text. */
function repeatedField(json: string): string | null {
  const names = new Set<string>();
  let depth = 0;
  for (const { 0: token, groups } of json.matchAll(jsonToken)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth === 1 && groups?.colon !== undefined) {
      const name = JSON.parse(token) as string;
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return null;
}
