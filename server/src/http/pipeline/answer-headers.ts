import type { IncomingHttpHeaders } from "node:http";
import type { Answer } from "../cache/response-cache.ts";
import { matchesEntityTag } from "../negotiation/entity-tag.ts";
import { contentTypes, type Form } from "../negotiation/forms.ts";

/** Adds an answer's headers to those that are sent; gives its status: 304, without a body, where the caller has it. */
export function describeAnswer(
  asked: IncomingHttpHeaders,
  headers: Record<string, string>,
  form: Form,
  { body, etag, encoding }: Answer,
): 200 | 304 {
  headers.etag = etag;
  if (matchesEntityTag(asked["if-none-match"], etag)) return 304;
  headers["content-type"] = contentTypes[form];
  headers["content-length"] = String(body.length);
  if (encoding !== undefined) headers["content-encoding"] = encoding;
  return 200;
}

/** On every answer of the API. */
export function answerHeaders(headers: Record<string, string>): void {
  headers["cache-control"] = "private, no-cache";
  headers.vary = "Accept, Accept-Encoding";
}
