import { isIPv6 } from "node:net";

/**
 * An IPv6 network that contains the client's network. `times`: the limit of the wider network, as a multiple of the
 * client network's limit.
 */
export interface WiderNetwork {
  name: string;
  times: number;
}

/**
 * The network for which requests and connections are counted: an IPv4 address, or an IPv6 /64, which providers usually
 * assign to one customer. Any other text is its own network, clipped to 64 characters.
 */
export function clientNetwork(address: string): string {
  const groups = groupsOf(address);
  if (groups !== null) return prefix(groups, 64);
  return mappedIPv4(address) ?? address.slice(0, 64);
}

/** The /56 and the /48 of an IPv6 address, since a provider may also assign these to one customer. Empty for IPv4. */
export function widerNetworks(address: string): readonly WiderNetwork[] {
  const groups = groupsOf(address);
  if (groups === null) return [];
  return [
    { name: prefix(groups, 56), times: 2 },
    { name: prefix(groups, 48), times: 4 },
  ];
}

/** Whether a name is that of a `WiderNetwork`. */
export const isWider = (name: string): boolean => name.endsWith("::/56") || name.endsWith("::/48");

const mappedIPv4 = (address: string): string | undefined =>
  /^::ffff:(\d+\.\d+\.\d+\.\d+)(?:%.*)?$/is.exec(address)?.[1];

/** The groups of 16 bits of an IPv6 address; null for an IPv4-mapped address and for any other text. */
function groupsOf(address: string): number[] | null {
  const withoutZone = address.replace(/%.*$/s, "");
  if (!isIPv6(withoutZone) || mappedIPv4(address) !== undefined) return null;
  // A dotted IPv4 tail replaces two groups.
  const [left = "", right] = withoutZone.replace(/\d{1,3}(\.\d{1,3}){3}$/, "0:0").split("::");
  const leading = left === "" ? [] : left.split(":");
  const trailing = right === undefined || right === "" ? [] : right.split(":");
  const zeros = Array<string>(8 - leading.length - trailing.length).fill("0");
  const groups = right === undefined ? leading : [...leading, ...zeros, ...trailing];
  return groups.map((group) => Number.parseInt(group, 16));
}

const prefix = (groups: readonly number[], bits: 48 | 56 | 64): string =>
  `${groups
    .slice(0, Math.ceil(bits / 16))
    .map((group, index) => ((index + 1) * 16 > bits ? group & 0xff00 : group).toString(16))
    .join(":")}::/${bits}`;
