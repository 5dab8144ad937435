import type { LookupAddress, LookupOptions } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIPv6, type LookupFunction } from "node:net";
import { forbiddenReason } from "./ranges.ts";

const hostsFile = "/etc/hosts";

/**
 * The addresses of a name in the hosts file of this machine. A `localhost` name that the file does not list has the
 * loopback addresses (RFC 6761, 6.3).
 */
export async function hostsAddresses(name: string, file = hostsFile): Promise<string[]> {
  const hostname = name.toLowerCase().replace(/\.$/, "");
  const text = await readFile(file, "utf8").catch(() => "");
  const listed = text
    .split("\n")
    .map((line) => line.split("#", 1)[0]?.trim().toLowerCase().split(/\s+/) ?? [])
    .filter(([, ...names]) => names.includes(hostname))
    .flatMap(([address = ""]) => address);
  if (listed.length > 0) return listed;
  return hostname === "localhost" || hostname.endsWith(".localhost") ? ["127.0.0.1", "::1"] : [];
}

/** Returns all IPv4 and IPv6 addresses of a name. */
export type ResolveName = (name: string) => Promise<string[]>;

/**
 * Thrown before a connection to a name that resolves to no address or to a non-public one. The message is a sentence.
 */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
}

// `dns.lookup` would block one of the four libuv threads until an unreachable name server times out.
const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/** Queries A and AAAA records. Throws the DNS error if neither query returns an address. */
export const resolveName: ResolveName = async (name) => {
  const responses = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = responses.flatMap((response) => (response.status === "fulfilled" ? response.value : []));
  const failure = responses.find((response) => response.status === "rejected");
  if (addresses.length === 0 && failure !== undefined) throw failure.reason;
  return addresses;
};

/** Looks a name up in the hosts file, then in DNS. For receivers on private networks. */
export const resolvePrivateName: ResolveName = async (name) => {
  const addresses = await hostsAddresses(name);
  return addresses.length > 0 ? addresses : resolveName(name);
};

/**
 * Concurrent look-ups of one name share one query, so that an unreachable name server gets one query instead of one for
 * each endpoint.
 */
export function coalesceLookups(resolve: ResolveName): ResolveName {
  const pending = new Map<string, Promise<string[]>>();
  return (name) => {
    const shared = pending.get(name) ?? resolve(name).finally(() => pending.delete(name));
    pending.set(name, shared);
    return shared;
  };
}

/**
 * Resolves a name once. Throws if there is no address, or if any is not public, because the connection may use any of
 * them.
 */
async function publicAddresses(name: string, resolve: ResolveName): Promise<LookupAddress[]> {
  const addresses = await resolve(name);
  for (const address of addresses) {
    const reason = forbiddenReason(address);
    if (reason !== null)
      throw new ForbiddenAddress(
        `${name} resolves to ${address}, which ${reason}; webhooks go to public addresses only.`,
      );
  }
  if (addresses.length === 0) throw new ForbiddenAddress(`${name} resolves to no address.`);
  return addresses.map(withFamily);
}

/**
 * A `lookup` for connections. The connection uses exactly the addresses that were checked, which prevents DNS
 * rebinding.
 */
export const publicLookup = (resolve: ResolveName): LookupFunction =>
  lookupOf((name) => publicAddresses(name, resolve));

/** A `lookup` for connections to any address. */
export const privateLookup = (resolve: ResolveName): LookupFunction =>
  lookupOf(async (name) => (await resolve(name)).map(withFamily));

const withFamily = (address: string): LookupAddress => ({ address, family: isIPv6(address) ? 6 : 4 });

const lookupOf =
  (addressesOf: (name: string) => Promise<LookupAddress[]>): LookupFunction =>
  (name, options: LookupOptions, callback) => {
    addressesOf(name).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true) callback(null, addresses);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
