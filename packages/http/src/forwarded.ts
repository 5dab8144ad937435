import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";

/**
 * The trusted proxies. Reads the client's address and protocol from their headers, and ignores these headers from any
 * other peer, since a client can forge them.
 */
export class Proxies {
  /** Whether a proxy ends TLS (`TLS=off`). */
  readonly endTls: boolean;
  readonly #trusted: BlockList | null;

  /** `trusted`: IP addresses and CIDR ranges; null trusts every peer if a proxy ends TLS. */
  constructor({ endTls, trusted }: { endTls: boolean; trusted: readonly string[] | null }) {
    this.endTls = endTls;
    this.#trusted = trusted === null ? null : blockListOf(trusted);
  }

  /** Returns whether an address belongs to a trusted proxy. */
  trust(address: string): boolean {
    if (this.#trusted === null) return this.endTls;
    const plain = withoutIpv4Prefix(address);
    return isIP(plain) !== 0 && this.#trusted.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
  }

  /**
   * Returns the client's address without port. Converts an IPv4-mapped IPv6 address to IPv4. If a trusted proxy sent
   * the request, reads the values of X-Forwarded-For from the last to the first, up to a value that is not the address
   * of a trusted proxy: each proxy appends the address of its peer, and a client can forge earlier values. Returns that
   * value. If it is malformed, or there is none, returns the trusted address that was read before, or the address of
   * the socket. If every peer is trusted, reads only the last value.
   */
  clientAddress(headers: IncomingHttpHeaders, socketAddress: string): string {
    let client = withoutIpv4Prefix(socketAddress);
    if (!this.trust(socketAddress)) return client;
    const hops = textOf(headers["x-forwarded-for"]).split(",");
    for (const hop of hops.reverse()) {
      const address = withoutIpv4Prefix(withoutPort(hop.trim()));
      if (isIP(address) === 0) break;
      client = address;
      if (this.#trusted === null || !this.trust(address)) break;
    }
    return client;
  }

  /** Whether the client used HTTPS: to this server, or according to the last X-Forwarded-Proto of a trusted proxy. */
  isHttps(headers: IncomingHttpHeaders, socketAddress: string): boolean {
    if (!this.endTls) return true;
    const protocols = textOf(headers["x-forwarded-proto"]);
    const last = protocols.slice(protocols.lastIndexOf(",") + 1).trim();
    return this.trust(socketAddress) && last.toLowerCase() === "https";
  }
}

function blockListOf(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const each of addresses) {
    const [address = "", bits] = each.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const textOf = (header: string | string[] | undefined): string =>
  Array.isArray(header) ? header.join(",") : (header ?? "");

const withoutPort = (address: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;

const withoutIpv4Prefix = (address: string): string => /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
