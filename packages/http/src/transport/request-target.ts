import type { IncomingMessage } from "node:http";
import { malformed } from "./client-error.ts";

const slash = 47;

/**
 * Returns the target of a request in origin form, `/path?query`. Accepts the absolute form, which proxies may send (RFC
 * 9112 3.2.2), and ignores its host. Throws 400 for a target that is not a path or has a fragment, and for HTTP
 * versions that Node's parser accepts but this server does not support.
 */
export function originForm({ url = "", httpVersionMajor }: IncomingMessage): string {
  if (httpVersionMajor === 1 && !url.includes("#")) {
    if (url.charCodeAt(0) === slash) return url;
    // Refuses credentials before the host, since they are used for phishing (RFC 9110 4.2.4).
    const path = /^https?:\/\/(?:\[[\da-f:.]+\]|[^/?@:[\]]+)(?::\d*)?([/?].*)?$/is.exec(url);
    if (path !== null) return path[1]?.startsWith("/") === true ? path[1] : `/${path[1] ?? ""}`;
  }
  throw malformed;
}
