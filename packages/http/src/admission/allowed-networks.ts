import { BlockList, isIP } from "node:net";
import { ApiError, invalidRequest } from "@beatmarket/foundation/errors.ts";

const maxNetworks = 20;

/** Parsed networks by list. A key has the same list object while the look-up of the key is cached. */
const lists = new WeakMap<readonly string[], BlockList>();

/**
 * Validates IP addresses and networks in CIDR notation, such as 203.0.113.0/24. Returns them without spaces, empty
 * texts and repetitions. Throws 400 for any other text, and for more than 20 networks.
 */
export function readNetworks(texts: readonly string[]): string[] {
  const networks = [...new Set(texts.map((network) => network.trim()).filter((network) => network !== ""))];
  if (networks.length > maxNetworks)
    throw invalidRequest(`A key has at most ${maxNetworks} addresses and networks.`, "allowed_networks");
  for (const network of networks) {
    const [address = "", bits, ...more] = network.split("/");
    const family = isIP(address);
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
    if (family === 0 || !isNetwork || more.length > 0)
      throw invalidRequest(
        `${JSON.stringify(network)} is neither an IP address nor a network such as 203.0.113.0/24 or 2001:db8::/32.`,
        "allowed_networks",
      );
  }
  return networks;
}

/**
 * Throws 403 if the key is restricted to networks that do not include the client's address. `keysPage`: where keys are
 * changed, for the message.
 */
export function requireAllowedAddress(networks: readonly string[], address: string, keysPage: string): void {
  const family = isIP(address);
  if (family !== 0 && listOf(networks).check(address, family === 4 ? "ipv4" : "ipv6")) return;
  throw new ApiError(
    403,
    "forbidden",
    "Address not allowed",
    `This API key may not be used from ${address}. Call from an allowed address, or change the key's addresses in ${keysPage}.`,
    { refusedBy: "address" },
  );
}

function listOf(networks: readonly string[]): BlockList {
  const parsed = lists.get(networks);
  if (parsed !== undefined) return parsed;
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  lists.set(networks, list);
  return list;
}
