import type { Registry } from "prom-client";
import { scrapedGauges, scrapedGaugesBy } from "./scraped-gauges.ts";

/** A limit, and how much of it is used. */
interface Bounded {
  readonly open: number;
  readonly max: number;
}

/** Files on their way to clients. */
export function registerTransfers(transfers: Readonly<Record<string, Bounded>>, registry: Registry): void {
  const gauge = scrapedGaugesBy("of", () => Object.entries(transfers), registry);
  gauge("transfers", "Files on their way to clients, by what they are.", ({ open }) => open);
  gauge("transfers_max", "How many of them there may be; further ones are refused with 429.", ({ max }) => max);
}

/** The demo's renderer of loops. */
export interface Loops {
  readonly waiting: number;
  readonly maxWaiting: number;
  readonly cached: { readonly entries: number; readonly bytes: number };
}

export function registerLoops(loops: Loops, registry: Registry): void {
  const gauge = scrapedGauges(registry);
  gauge("loops_waiting", "Loops of the demo that are rendered, or wait for it.", () => loops.waiting);
  gauge(
    "loops_waiting_max",
    "How many of them there may be; further ones are refused with 503.",
    () => loops.maxWaiting,
  );
  gauge("loop_cache_entries", "Rendered loops in the cache.", () => loops.cached.entries);
  gauge("loop_cache_bytes", "Size of the rendered loops in the cache; at most 16 MiB.", () => loops.cached.bytes);
}
