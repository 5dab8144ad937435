import { hash } from "node:crypto";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";

/** The PostgreSQL type of a listing's sort key. */
export type KeyType = "bigint" | "text" | "timestamptz";

/** The start of a page: the sort key and id of the row before the page (forward) or after the page (backward). */
export interface Seek {
  direction: "forward" | "backward";
  key: number | string;
  id: number | string;
}

/** The types of the values in a token. */
export interface TokenTypes {
  keyType: KeyType;
  /** Absent: ids are `bigint`. */
  idType?: "text";
}

/**
 * Encodes the opaque `after` parameter of next and prev URLs (docs/api/conventions.md, Pagination). A checksum binds
 * the token to its listing (`scope`: page, limit, sort and every filter), so that damaged tokens and tokens of other
 * filters are rejected. The token contains no secret, and a forged token gives no access: it only says where to start
 * reading. `decodeAfter` validates the shape of the token, since anyone can compute the checksum.
 */
export function encodeAfter(seek: Seek, scope: string): string {
  const text = JSON.stringify([seek.direction === "forward" ? 1 : 0, seek.key, seek.id]);
  return Buffer.concat([checksum(text, scope), Buffer.from(text)]).toString("base64url");
}

/**
 * Decodes a token. Throws invalid_request if it is damaged, belongs to another listing or is not from `encodeAfter`.
 */
export function decodeAfter(token: string, scope: string, types: TokenTypes): Seek {
  const bytes = /^[\w-]{12,2000}$/.test(token) ? Buffer.from(token, "base64url") : Buffer.alloc(0);
  const text = bytes.subarray(checksumBytes).toString();
  const isIntact = bytes.length > checksumBytes && checksum(text, scope).equals(bytes.subarray(0, checksumBytes));
  const seek = isIntact ? readSeek(text, types) : null;
  if (seek === null)
    throw invalidRequest(
      "The after parameter is damaged or belongs to other filters, another page or another limit. Use `next_page_url` unchanged, or leave `after` out.",
      "after",
    );
  return seek;
}

/** Returns null unless `encodeAfter` could have written the text. */
function readSeek(text: string, { keyType, idType }: TokenTypes): Seek | null {
  const parsed = parseJson(text);
  if (!Array.isArray(parsed) || parsed.length !== 3) return null;
  const [forward, key, id] = parsed as unknown[];
  if ((forward !== 0 && forward !== 1) || !isKey[keyType](key)) return null;
  if (!(idType === "text" ? isKey.text(id) : isId(id))) return null;
  return { direction: forward === 1 ? "forward" : "backward", key, id: id as Seek["id"] };
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

const isKey: Record<KeyType, (value: unknown) => value is Seek["key"]> = {
  bigint: (value): value is number => Number.isSafeInteger(value),
  // PostgreSQL stores neither NUL nor lone surrogates.
  text: (value): value is string => typeof value === "string" && value.isWellFormed() && !value.includes("\0"),
  // PostgreSQL cannot read the years that Date writes with a sign.
  timestamptz: (value): value is string => typeof value === "string" && /^\d{4}-/.test(value) && isIsoTime(value),
};

const isIsoTime = (text: string): boolean => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const checksumBytes = 8;

const checksum = (text: string, scope: string): Buffer =>
  hash("sha256", `${scope}\0${text}`, "buffer").subarray(0, checksumBytes);
