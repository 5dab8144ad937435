import type { IndexState } from "@beatmarket/catalogue-index/catalogue-index.ts";
import { Gauge, type Registry } from "prom-client";

interface Figure {
  name: string;
  help: string;
  /** Null: there is nothing to show. */
  of(state: IndexState): number | null;
}

const figures: readonly Figure[] = [
  {
    name: "ready",
    help: "1 while the catalogue index answers, 0 while it is built.",
    of: ({ isReady }) => (isReady ? 1 : 0),
  },
  { name: "beats", help: "Listed beats in the catalogue index.", of: ({ beats }) => beats },
  {
    name: "position",
    help: "Position of the change stream that the catalogue index is as of.",
    of: ({ position }) => position,
  },
  {
    name: "behind_versions",
    help: "Changes of the catalogue that the index has yet to take in; it does so before it answers, or within a second.",
    of: ({ behindVersions }) => behindVersions,
  },
  {
    name: "behind_seconds",
    help: "How long the catalogue index has been behind; 0 while it is not.",
    of: ({ behindSeconds }) => behindSeconds,
  },
  { name: "bytes", help: "Memory of the thread of the catalogue index.", of: ({ bytes }) => bytes },
  {
    name: "builds",
    help: "How often the catalogue index was built from all rows since start.",
    of: (its) => its.builds,
  },
  {
    name: "crashes",
    help: "How often the thread of the catalogue index crashed since start.",
    of: ({ crashes }) => crashes,
  },
  {
    name: "catch_up_seconds",
    help: "Duration of the last time that the catalogue index took in changes.",
    of: ({ catchUpSeconds }) => catchUpSeconds,
  },
  {
    name: "snapshot_age_seconds",
    help: "Age of the snapshot of the catalogue index on disk; absent without one.",
    of: ({ snapshotAgeSeconds }) => snapshotAgeSeconds,
  },
];

/** Shows the state of the catalogue index. */
export function registerIndex(index: { readonly state: IndexState }, registry: Registry): void {
  for (const { name, help, of } of figures)
    new Gauge({
      name: `beatmarket_index_${name}`,
      help,
      registers: [registry],
      collect() {
        this.reset();
        const value = of(index.state);
        if (value !== null) this.set(value);
      },
    });
}
