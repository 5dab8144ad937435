import { expect, it } from "vitest";
import { clientNetwork, widerNetworks } from "./client-network.ts";
import { NetworkQuota } from "./network-quota.ts";

it.each([
  ["192.0.2.7", "192.0.2.7", []],
  ["::ffff:192.0.2.7", "192.0.2.7", []],
  ["2001:db8:1:2ab::9", "2001:db8:1:2ab::/64", ["2001:db8:1:200::/56", "2001:db8:1::/48"]],
  ["fe80::1%eth0", "fe80:0:0:0::/64", ["fe80:0:0:0::/56", "fe80:0:0::/48"]],
  ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64", ["64:ff9b:0:0::/56", "64:ff9b:0::/48"]],
])("%s belongs to the network %s, within %j", (address, network, wider) => {
  expect(clientNetwork(address)).toBe(network);
  expect(widerNetworks(address).map(({ name }) => name)).toEqual(wider);
});

it("a /56 gets at most twice the places of one network, and a /48 at most half of the total", () => {
  const quota = new NetworkQuota({ perNetwork: 16, total: 64 });
  const places = (address: string, count: number) =>
    Array.from({ length: count }, () => quota.acquire(address)).filter((release) => release !== null);
  const first = places("2001:db8:0:1::1", 17);
  expect(first).toHaveLength(16);
  expect(places("2001:db8:0:2::1", 17)).toHaveLength(16);
  expect(places("2001:db8:0:3::1", 1)).toHaveLength(0);
  expect(places("2001:db8:0:ff00::1", 1)).toHaveLength(0);
  expect(places("2001:db8:1::1", 1)).toHaveLength(1);
  first[0]?.();
  expect(places("2001:db8:0:ff00::1", 2)).toHaveLength(1);
});
