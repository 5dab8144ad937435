import { hash } from "node:crypto";
import { invalidRequest } from "../errors.ts";

/** Where a page starts: the sort key and id of the row before it (forward) or after it (backward). */
export interface Seek {
  direction: "forward" | "backward";
  key: number | string;
  id: number;
}

/**
 * Encodes the opaque `after` parameter of next and prev URLs (docs/api/conventions.md, Pagination). A checksum binds it
 * to its listing (`scope`: page, limit, sort and every filter), so damaged tokens and those of other filters are
 * rejected. It contains nothing secret, and forging one gains nothing: it only says where to start reading.
 */
export function encodeAfter(seek: Seek, scope: string): string {
  const text = JSON.stringify([seek.direction === "forward" ? 1 : 0, seek.key, seek.id]);
  return Buffer.concat([checksum(text, scope), Buffer.from(text)]).toString("base64url");
}

/** Decodes a token. Throws invalid_request if it is damaged or belongs to another listing. */
export function decodeAfter(token: string, scope: string): Seek {
  const bytes = /^[\w-]{12,2000}$/.test(token) ? Buffer.from(token, "base64url") : Buffer.alloc(0);
  const text = bytes.subarray(checksumBytes).toString();
  if (bytes.length <= checksumBytes || !checksum(text, scope).equals(bytes.subarray(0, checksumBytes)))
    throw invalidRequest(
      "The after parameter is damaged or belongs to other filters, another page or another limit. Follow next_page_url as it was given, or leave after out.",
      "after",
    );
  const [forward, key, id] = JSON.parse(text) as [number, number | string, number];
  return { direction: forward === 1 ? "forward" : "backward", key, id };
}

const checksumBytes = 8;

const checksum = (text: string, scope: string): Buffer =>
  hash("sha256", `${scope}\0${text}`, "buffer").subarray(0, checksumBytes);
