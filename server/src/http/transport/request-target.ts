import type { IncomingMessage } from "node:http";
import { malformed } from "./client-error.ts";

const slash = 47;

/**
 * A request's target in origin form, `/path?query`. Proxies may send the absolute form (RFC 9112 3.2.2); its host is not
 * to be trusted. 400 for a target that is no path or has a fragment, and for what Node's parser takes for a version of HTTP
 * that we do not speak.
 */
export function originForm({ url = "", httpVersionMajor }: IncomingMessage): string {
  if (httpVersionMajor === 1 && !url.includes("#")) {
    if (url.charCodeAt(0) === slash) return url;
    const path = /^https?:\/\/[^/?]+(.*)$/is.exec(url)?.[1];
    if (path !== undefined) return path.startsWith("/") ? path : `/${path}`;
  }
  throw malformed;
}
