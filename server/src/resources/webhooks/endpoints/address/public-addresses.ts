import type { LookupAddress, LookupOptions } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isIPv6, type LookupFunction } from "node:net";
import { whyForbidden } from "./ranges.ts";

/** All addresses of a name, IPv4 and IPv6. */
export type ResolveName = (name: string) => Promise<string[]>;

/** Nothing was sent, because the name leads somewhere that is not public. The message is a sentence. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
}

// Not the system's look-up: that one occupies a thread, of which there are few, for as long as a dead name server likes.
const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/** Asks the name servers for both families. Throws what they answered when neither has an address. */
export const resolveName: ResolveName = async (name) => {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const failure = answers.find((answer) => answer.status === "rejected");
  if (addresses.length === 0 && failure !== undefined) throw failure.reason;
  return addresses;
};

/**
 * Resolves a name once and checks every address it has: one that is not public makes it a ForbiddenAddress, because
 * which of them would be called is chance.
 */
async function publicAddresses(name: string, resolve: ResolveName): Promise<LookupAddress[]> {
  const addresses = await resolve(name);
  for (const address of addresses) {
    const why = whyForbidden(address);
    if (why !== null)
      throw new ForbiddenAddress(`${name} resolves to ${address}, which ${why}; webhooks go to public addresses only.`);
  }
  if (addresses.length === 0) throw new ForbiddenAddress(`${name} resolves to no address.`);
  return addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
}

/**
 * The look-up of a connection: it is made to the very addresses that were checked, so a name that changes its mind
 * between check and connection gains nothing.
 */
export const publicLookup =
  (resolve: ResolveName): LookupFunction =>
  (name, options: LookupOptions, callback) => {
    publicAddresses(name, resolve).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true) callback(null, addresses);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
