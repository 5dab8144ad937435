import type { HttpResponse } from "../http-response.ts";
import type { RequestContext } from "../request-context.ts";
import { chooseEncoding } from "./encodings.ts";
import { matchesEntityTag } from "./entity-tag.ts";
import type { EncodedBytes, Representation } from "./representation.ts";

/**
 * Responds with a representation in the best accepted content coding, or with 304 if If-None-Match has the ETag of
 * these bytes.
 */
export function negotiate(
  { requestHeaders }: RequestContext,
  representation: Representation,
): HttpResponse | Promise<HttpResponse> {
  const encoding = chooseEncoding(requestHeaders["accept-encoding"], representation.body.length);
  const respond = ({ body, etag, encoding: coding }: EncodedBytes): HttpResponse => {
    if (matchesEntityTag(requestHeaders["if-none-match"], etag)) return { status: 304, headers: { etag } };
    const headers = { etag, "content-type": representation.contentType };
    return { status: 200, headers: coding === undefined ? headers : { ...headers, "content-encoding": coding }, body };
  };
  const bytes = encoding === null ? representation : representation.encoded(encoding);
  return bytes instanceof Promise ? bytes.then(respond) : respond(bytes);
}
