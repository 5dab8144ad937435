import { clientNetwork, widerNetworks } from "./client-network.ts";

/**
 * Limits the number of places (running transfers, or bodies that are being discarded) of each client network and of all
 * networks together. An IPv6 /56 may hold twice as many places as a network, a /48 four times as many; both at most
 * half of the total.
 */
export class NetworkQuota {
  readonly #perNetwork: number;
  readonly #total: number;
  readonly #placesByNetwork = new Map<string, number>();
  /** Places taken now by all networks. */
  open = 0;

  constructor({ perNetwork, total }: { perNetwork: number; total: number }) {
    this.#perNetwork = perNetwork;
    this.#total = total;
  }

  /** Takes a place for a client's IP address. Returns the function that releases it; null if no place is free. */
  acquire(address: string): (() => void) | null {
    const half = Math.floor(this.#total / 2);
    const networks = [
      { name: clientNetwork(address), max: this.#perNetwork },
      ...widerNetworks(address).map(({ name, times }) => ({ name, max: Math.min(this.#perNetwork * times, half) })),
    ];
    if (this.open >= this.#total || networks.some(({ name, max }) => (this.#placesByNetwork.get(name) ?? 0) >= max))
      return null;
    for (const { name } of networks) this.#add(name, 1);
    this.open++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.open--;
      for (const { name } of networks) this.#add(name, -1);
    };
  }

  #add(name: string, count: number): void {
    const places = (this.#placesByNetwork.get(name) ?? 0) + count;
    if (places > 0) this.#placesByNetwork.set(name, places);
    else this.#placesByNetwork.delete(name);
  }
}
