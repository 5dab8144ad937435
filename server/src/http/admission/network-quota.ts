import { clientNetwork } from "./client-network.ts";

/** Bounds how many of something (connections, handshakes, transfers) one client network and all together have open. */
export class NetworkQuota {
  readonly #perNetwork: number;
  readonly #total: number;
  readonly #open = new Map<string, number>();
  /** Open at the moment, of all networks. */
  open = 0;

  constructor({ perNetwork, total }: { perNetwork: number; total: number }) {
    this.#perNetwork = perNetwork;
    this.#total = total;
  }

  /** Open at the moment, of the network that has most. */
  get most(): number {
    return Math.max(0, ...this.#open.values());
  }

  /** Takes a place for a client's IP address. Returns what gives it back, once; null when there is none left. */
  acquire(address: string): (() => void) | null {
    const network = clientNetwork(address);
    const open = this.#open.get(network) ?? 0;
    if (open >= this.#perNetwork || this.open >= this.#total) return null;
    this.#open.set(network, open + 1);
    this.open++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.open--;
      const left = (this.#open.get(network) ?? 0) - 1;
      if (left > 0) this.#open.set(network, left);
      else this.#open.delete(network);
    };
  }
}
