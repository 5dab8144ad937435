import { isIP } from "node:net";
import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { forbiddenReason } from "./ranges.ts";

const maxUrlLength = 2_048;

/** Names reserved for this machine or the local network (RFC 6761, 6762, 8375, 9476 and ICANN). */
const localNames = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

/**
 * Validates an endpoint's url: https on port 443 or from 1024 up, no credentials, no fragment, and no local or private
 * host. `publicLookup` checks the addresses of a host name at each delivery. With `allowPrivate`
 * (WEBHOOK_ALLOW_PRIVATE), http, every port and every host are accepted too. The WHATWG parser normalizes spellings
 * such as `0x7f.1`. Throws 400 with the reason for a refused url.
 */
export function parseEndpointUrl(text: string, { allowPrivate }: { allowPrivate: boolean }): URL {
  const url = text.length <= maxUrlLength ? URL.parse(text) : null;
  if (url === null)
    throw refusal(
      `is not a URL of at most ${maxUrlLength} characters; it takes a URL such as https://example.com/hooks`,
    );
  if (url.username !== "" || url.password !== "")
    throw refusal("holds a user name or password; the signature is what proves a delivery, so leave them out");
  if (url.hash !== "") throw refusal("has a fragment (#…), which is never sent; leave it out");
  if (allowPrivate) {
    if (url.protocol !== "https:" && url.protocol !== "http:") throw refusal("must begin with https:// or http://");
    return url;
  }
  // Reports a local host first, since it is refused with https as well.
  if (url.hostname !== "") checkHost(url);
  if (url.protocol !== "https:") throw refusal("must begin with https://");
  const port = Number(url.port || 443);
  if (port !== 443 && port < 1024) throw refusal(`names port ${port}; it takes 443 and those from 1024 up`);
  return url;
}

function checkHost(url: URL): void {
  const host = hostOf(url);
  if (isIP(host) !== 0) {
    const reason = forbiddenReason(host);
    if (reason !== null) throw refusal(`names ${host}, which ${reason}; ${localAdvice}`);
    return;
  }
  const name = host.replace(/\.$/, "");
  if (!name.includes(".") || localNames.test(name))
    throw refusal(`names ${name}, which is not a name on the public internet; ${localAdvice}`);
}

/** The host without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => (hostname.startsWith("[") ? hostname.slice(1, -1) : hostname);

const localAdvice =
  "webhooks go to public addresses only. For a receiver of your own use the inbox in the portal, or beatmarket-cli listen";

const refusal = (problem: string) => invalidRequest(`The webhook url ${problem}.`, "url");
