import type { IncomingMessage, ServerResponse } from "node:http";
import { errorBody } from "../pipeline/error-response.ts";
import { malformed } from "./client-error.ts";

const slash = 47;

/**
 * Brings a request's target into the one form that everything else reads, `/path?query`: proxies may send the whole
 * address (RFC 9112 3.2.2), whose host is none of ours to believe. Answers 400 and gives false for a target that is no
 * path, or has a fragment, and for what Node's parser takes for a version of HTTP that we do not speak.
 */
export function acceptTarget(request: IncomingMessage, response: ServerResponse): boolean {
  const { url = "", httpVersionMajor } = request;
  if (httpVersionMajor === 1 && !url.includes("#")) {
    if (url.charCodeAt(0) === slash) return true;
    const path = /^https?:\/\/[^/?]+(.*)$/is.exec(url)?.[1];
    if (path !== undefined) {
      request.url = path.startsWith("/") ? path : `/${path}`;
      return true;
    }
  }
  const body = JSON.stringify(errorBody(malformed));
  response
    .writeHead(400, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      connection: "close",
    })
    .end(body);
  return false;
}
