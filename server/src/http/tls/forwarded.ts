import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/**
 * Whether the proxy in front (`TLS=off`) received this request over HTTPS. Each proxy appends what it saw, so the
 * last value is that of the one nearest to us; those before it may be the client's own invention.
 */
export function isForwardedHttps(headers: IncomingHttpHeaders): boolean {
  return last(headers["x-forwarded-proto"])?.toLowerCase() === "https";
}

/**
 * The address a request came from, without port and without the IPv6 wrapping of IPv4. Behind a proxy (`tlsOff`) it
 * is the last of X-Forwarded-For, the one our proxy added; otherwise, or where that is no address, the socket's.
 */
export function clientAddress(headers: IncomingHttpHeaders, socketAddress: string, tlsOff: boolean): string {
  const forwarded = tlsOff ? withoutPort(last(headers["x-forwarded-for"]) ?? "") : "";
  return unwrapped(isIP(forwarded) === 0 ? socketAddress : forwarded);
}

const last = (header: string | string[] | undefined): string | undefined => {
  const text = Array.isArray(header) ? header.at(-1) : header;
  return text?.slice(text.lastIndexOf(",") + 1).trim();
};

const withoutPort = (address: string): string =>
  /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;

const unwrapped = (address: string): string => /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
