import type { Clock } from "@beatmarket/foundation/clock.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import type { RequestLogEntry } from "./entry.ts";

/** Refused calls that are kept in one minute of the clock; further ones are counted only. */
export const keptRefusalsAMinute = { network: 10, allNetworks: 60, account: 100 } as const;

const minuteMs = 60_000;

/**
 * Chooses which calls the log keeps. Plans bound the number of admitted calls, so all of them are kept. Calls without an
 * account, and an account's calls with a lapsed key or beyond a limit, may come at any rate: of these the first of each
 * minute are kept, and none of a network throttled for bad keys.
 */
export class RefusedSample {
  readonly #clock: Clock;
  #minute = Number.NaN;
  /** Calls kept in this minute; the networks' sum is bounded, and so is their number. */
  readonly #byNetwork = new Map<string, number>();
  #ofNetworks = 0;
  readonly #byAccount = new Map<number, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  keeps(entry: RequestLogEntry): boolean {
    if (entry.userId !== null && !isTurnedAway(entry)) return true;
    if (entry.refusedBy === "limit:bad-keys") return false;
    this.#startMinute();
    return entry.userId === null
      ? this.#keepsOfNetwork(entry.clientAddress)
      : takeOne(this.#byAccount, entry.userId, keptRefusalsAMinute.account);
  }

  #keepsOfNetwork(address: string): boolean {
    if (this.#ofNetworks >= keptRefusalsAMinute.allNetworks) return false;
    if (!takeOne(this.#byNetwork, clientNetwork(address), keptRefusalsAMinute.network)) return false;
    this.#ofNetworks++;
    return true;
  }

  #startMinute(): void {
    const minute = Math.floor(this.#clock.monotonicMs() / minuteMs);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#byNetwork.clear();
    this.#ofNetworks = 0;
    this.#byAccount.clear();
  }
}

/** Refused for its key or by a limit, before its permission was checked. */
const isTurnedAway = ({ status, refusedBy }: RequestLogEntry): boolean =>
  status === 401 || refusedBy?.startsWith("limit:") === true;

/** Counts one more unless there are `most` already. */
function takeOne<Key>(counts: Map<Key, number>, key: Key, most: number): boolean {
  const count = counts.get(key) ?? 0;
  if (count >= most) return false;
  counts.set(key, count + 1);
  return true;
}
