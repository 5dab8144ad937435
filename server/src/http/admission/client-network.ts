import { isIPv6 } from "node:net";

/** One customer of a provider usually holds a whole IPv6 /64, so that is what counts as one address. */
export function clientNetwork(address: string): string {
  const withoutZone = address.replace(/%.*$/s, "");
  if (!isIPv6(withoutZone)) return address.slice(0, 64);
  const mappedIPv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone)?.[1];
  if (mappedIPv4 !== undefined) return mappedIPv4;
  // A dotted IPv4 tail replaces two groups.
  const [left = "", right] = withoutZone.replace(/\d{1,3}(\.\d{1,3}){3}$/, "0:0").split("::");
  const leading = left === "" ? [] : left.split(":");
  const trailing = right === undefined || right === "" ? [] : right.split(":");
  const zeros = Array<string>(8 - leading.length - trailing.length).fill("0");
  const groups = right === undefined ? leading : [...leading, ...zeros, ...trailing];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
