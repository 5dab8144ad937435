import type { IncomingMessage } from "node:http";
import { malformed } from "./client-error.ts";

const slash = 47;

/**
 * A request's target in origin form, `/path?query`. Proxies may send the absolute form (RFC 9112 3.2.2); its host is
 * ignored. 400 for a target that is no path or has a fragment, and for HTTP versions that Node's parser accepts but we do
 * not support.
 */
export function originForm({ url = "", httpVersionMajor }: IncomingMessage): string {
  if (httpVersionMajor === 1 && !url.includes("#")) {
    if (url.charCodeAt(0) === slash) return url;
    const path = /^https?:\/\/[^/?]+(.*)$/is.exec(url)?.[1];
    if (path !== undefined) return path.startsWith("/") ? path : `/${path}`;
  }
  throw malformed;
}
