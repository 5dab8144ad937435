import { isIP } from "node:net";
import { invalidRequest } from "../../../../errors.ts";
import { whyForbidden } from "./ranges.ts";

const maxUrlLength = 2_048;

/** Names that mean this machine or this network wherever they are looked up (RFC 6761, 6762, 8375, 9476 and ICANN). */
const localNames = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/**
 * Reads the address that an account wants its events sent to. It takes https on port 443 or 1024 and above, no user name
 * or password, no fragment, and a host that may be public; what its name resolves to is checked when something is sent
 * (`publicLookup`). `allowPrivate` (WEBHOOK_ALLOW_PRIVATE) takes http, any port and any host as well. 400 names what
 * is wrong. Every spelling of an address (`0x7f.1`, `[::ffff:7f00:1]`) is read as browsers read it.
 */
export function parseEndpointUrl(text: string, { allowPrivate }: { allowPrivate: boolean }): URL {
  const url = text.length <= maxUrlLength ? URL.parse(text) : null;
  if (url === null)
    throw refusal(`is not a URL of at most ${maxUrlLength} characters; it takes one such as https://example.com/hooks`);
  if (url.username !== "" || url.password !== "")
    throw refusal("holds a user name or password; the signature is what proves a delivery, so leave them out");
  if (url.hash !== "") throw refusal("has a fragment (#…), which is never sent; leave it out");
  if (allowPrivate) {
    if (url.protocol !== "https:" && url.protocol !== "http:") throw refusal("must begin with https:// or http://");
    return url;
  }
  if (url.protocol !== "https:") throw refusal("must begin with https://");
  const port = Number(url.port || 443);
  if (port !== 443 && port < 1024) throw refusal(`names port ${port}; it takes 443 and those from 1024 up`);
  checkHost(url);
  return url;
}

function checkHost(url: URL): void {
  const host = hostOf(url);
  if (isIP(host) !== 0) {
    const why = whyForbidden(host);
    if (why !== null) throw refusal(`names ${host}, which ${why}; webhooks go to public addresses only`);
    return;
  }
  const name = host.replace(/\.$/, "");
  if (!name.includes(".") || localNames.test(name))
    throw refusal(`names ${name}, which is not a name on the public internet; ${localAdvice}`);
}

/** The host without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => (hostname.startsWith("[") ? hostname.slice(1, -1) : hostname);

const localAdvice = "for a receiver of your own use: beatmarket webhooks listen";

const refusal = (what: string) => invalidRequest(`The webhook url ${what}.`, "url");
