import ipaddr from "ipaddr.js";

/** IANA's global unicast space. Addresses outside it, such as the IPv4-compatible ::127.0.0.1, are not public. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/** Public addresses of metadata services. Only Azure's service has a public address. */
const metadataAddresses = ["168.63.129.16"];

const reasons: Record<string, string> = {
  unspecified: "stands for this machine",
  loopback: "is this machine itself",
  private: "belongs to a private network",
  uniqueLocal: "belongs to a private network",
  linkLocal: "belongs to the local link, where clouds keep their metadata",
  deprecatedSiteLocal: "belongs to a private network",
  carrierGradeNat: "belongs to a carrier's own network",
  multicast: "is a multicast address",
  broadcast: "is a broadcast address",
  ipv4Mapped: "is an IPv4 address in IPv6 form",
  rfc6145: "is an IPv4 address in IPv6 form",
  rfc6052: "is an IPv4 address behind a translator (NAT64)",
  "6to4": "is an IPv4 address in a tunnel (6to4)",
  teredo: "is an IPv4 address in a tunnel (Teredo)",
  benchmarking: "is reserved for measurements",
};

/**
 * The reason why webhooks may not go to an IP address, as the predicate of a sentence; null for a public (global
 * unicast) address.
 */
export function forbiddenReason(address: string): string | null {
  if (!ipaddr.isValid(address)) return "is not an address";
  const parsed = ipaddr.parse(address);
  if (metadataAddresses.includes(parsed.toString())) return "is a cloud's metadata service";
  const range = parsed.range();
  if (range !== "unicast") return reasons[range] ?? "is reserved for special use";
  const isGlobal = parsed.kind() === "ipv4" || parsed.match(globalUnicast);
  return isGlobal ? null : "is reserved for special use";
}
