import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/**
 * Whether the proxy in front (`TLS=off`) received this request over HTTPS. Uses the last value, which our proxy appended;
 * a client can forge the values before it.
 */
export function isForwardedHttps(headers: IncomingHttpHeaders): boolean {
  return last(headers["x-forwarded-proto"])?.toLowerCase() === "https";
}

/**
 * The client's address without port; an IPv4-mapped IPv6 address becomes IPv4. Behind a proxy (`tlsOff`) it is the last
 * value of X-Forwarded-For, which our proxy appended. Otherwise, or if that is no address, it is the socket's.
 */
export function clientAddress(headers: IncomingHttpHeaders, socketAddress: string, tlsOff: boolean): string {
  const forwarded = tlsOff ? withoutPort(last(headers["x-forwarded-for"]) ?? "") : "";
  return unmapped(isIP(forwarded) === 0 ? socketAddress : forwarded);
}

const last = (header: string | string[] | undefined): string | undefined => {
  const text = Array.isArray(header) ? header.at(-1) : header;
  return text?.slice(text.lastIndexOf(",") + 1).trim();
};

const withoutPort = (address: string): string =>
  /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;

const unmapped = (address: string): string => /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
