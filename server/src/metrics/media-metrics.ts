import { Gauge, type Registry } from "prom-client";

/** A limit, and how much of it is used. */
interface Bounded {
  readonly open: number;
  readonly max: number;
}

/** Files on their way to clients. */
export function registerTransfers(transfers: Readonly<Record<string, Bounded>>, registry: Registry): void {
  const gauge = (name: string, help: string, value: (of: Bounded) => number) =>
    new Gauge({
      name: `beatmarket_${name}`,
      help,
      labelNames: ["of"],
      registers: [registry],
      collect() {
        for (const [of, each] of Object.entries(transfers)) this.set({ of }, value(each));
      },
    });
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
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `beatmarket_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  gauge("loops_waiting", "Loops of the demo that are rendered, or wait for it.", () => loops.waiting);
  gauge(
    "loops_waiting_max",
    "How many of them there may be; further ones are refused with 503.",
    () => loops.maxWaiting,
  );
  gauge("loop_cache_entries", "Rendered loops in the cache.", () => loops.cached.entries);
  gauge("loop_cache_bytes", "Size of the rendered loops in the cache; at most 16 MiB.", () => loops.cached.bytes);
}
