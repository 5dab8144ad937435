import type { BackupState } from "@beatmarket/backup/backup-service.ts";
import type { IndexState } from "@beatmarket/catalogue-index/catalogue-index.ts";
import { Counter, Gauge, type Registry } from "prom-client";
import { scrapedGauges, scrapedGaugesBy } from "./serving-metrics.ts";

interface Figure {
  name: string;
  help: string;
  /** Null if there is no value. */
  valueIn(state: IndexState): number | null;
}

const figures: readonly Figure[] = [
  {
    name: "ready",
    help: "1 while the catalogue index answers, 0 while it is built.",
    valueIn: ({ isReady }) => (isReady ? 1 : 0),
  },
  { name: "beats", help: "Listed beats in the catalogue index.", valueIn: ({ beats }) => beats },
  {
    name: "position",
    help: "Position in the change stream up to which the catalogue index has every change.",
    valueIn: ({ position }) => position,
  },
  {
    name: "behind_versions",
    help: "Changes of the catalogue that the index has not applied yet. It applies them before it answers, or within a second.",
    valueIn: ({ behindVersions }) => behindVersions,
  },
  {
    name: "behind_seconds",
    help: "Seconds by which the catalogue index is late; 0 when it is current.",
    valueIn: ({ behindSeconds }) => behindSeconds,
  },
  { name: "bytes", help: "Memory of the thread of the catalogue index.", valueIn: ({ bytes }) => bytes },
  {
    name: "builds",
    help: "How often the catalogue index was built from all rows since start.",
    valueIn: (state) => state.builds,
  },
  {
    name: "crashes",
    help: "How often the thread of the catalogue index crashed since start.",
    valueIn: ({ crashes }) => crashes,
  },
  {
    name: "catch_up_seconds",
    help: "Duration of the last update of the catalogue index with changes.",
    valueIn: ({ catchUpSeconds }) => catchUpSeconds,
  },
  {
    name: "snapshot_age_seconds",
    help: "Age of the catalogue index's snapshot on disk; absent without a snapshot.",
    valueIn: ({ snapshotAgeSeconds }) => snapshotAgeSeconds,
  },
  {
    name: "failed_snapshot_uploads",
    help: "Failed uploads of the snapshot to the shared storage since start; absent without a shared storage.",
    valueIn: ({ failedSnapshotUploads }) => failedSnapshotUploads,
  },
];

/** Shows the state of the catalogue index. */
export function registerIndex(index: { readonly state: IndexState }, registry: Registry): void {
  for (const { name, help, valueIn } of figures)
    new Gauge({
      name: `beatmarket_index_${name}`,
      help,
      registers: [registry],
      collect() {
        this.reset();
        const value = valueIn(index.state);
        if (value !== null) this.set(value);
      },
    });
}

/** Shows the age of backups, and the files that wait for the vault. */
export function registerBackups(state: Readonly<BackupState>, registry: Registry): void {
  const registers = [registry];
  const ages = {
    base_age_seconds: { help: "Age of the newest base backup; absent without one.", of: () => state.backedUpAt },
    archived_age_seconds: {
      help: "Age of the newest moment up to which the vault has every commit; absent until it is known.",
      of: () => state.archivedUntil,
    },
  };
  for (const [name, { help, of: timeOf }] of Object.entries(ages))
    new Gauge({
      name: `beatmarket_backup_${name}`,
      help,
      registers,
      collect() {
        this.reset();
        const moment = timeOf();
        if (moment !== null) this.set(Math.max(0, (Date.now() - moment.getTime()) / 1_000));
        else this.remove();
      },
    });
  new Gauge({
    name: "beatmarket_backup_spooled_segments",
    help: "Finished segments of the write-ahead log (16 MB each) that wait for the vault. Above 256, further segments are dropped.",
    registers,
    collect() {
      this.set(state.spooledSegments);
    },
  });
  new Counter({
    name: "beatmarket_backup_failures_total",
    help: "Failed attempts to write to the vault since start.",
    registers,
    collect() {
      this.reset();
      this.inc(state.failures);
    },
  });
}

/** A limit and its use. */
interface Bounded {
  readonly open: number;
  readonly max: number;
}

/** Shows the running transfers of files to clients, by kind. */
export function registerTransfers(transfers: Readonly<Record<string, Bounded>>, registry: Registry): void {
  const gauge = scrapedGaugesBy("of", () => Object.entries(transfers), registry);
  gauge("transfers", "Files that are being sent to clients, by kind.", ({ open }) => open);
  gauge(
    "transfers_max",
    "The limit of beatmarket_transfers; further transfers are refused with 429.",
    ({ max }) => max,
  );
}

/** The demo's renderer of loops. */
export interface Loops {
  readonly waiting: number;
  readonly maxWaiting: number;
  readonly cached: { readonly entries: number; readonly bytes: number };
}

export function registerLoops(loops: Loops, registry: Registry): void {
  const gauge = scrapedGauges(registry);
  gauge("loops_waiting", "Loops of the demo that are being rendered or wait for the renderer.", () => loops.waiting);
  gauge(
    "loops_waiting_max",
    "The limit of beatmarket_loops_waiting; further loops are refused with 503.",
    () => loops.maxWaiting,
  );
  gauge("loop_cache_entries", "Rendered loops in the cache.", () => loops.cached.entries);
  gauge("loop_cache_bytes", "Size of the rendered loops in the cache; at most 16 MiB.", () => loops.cached.bytes);
}

/** The last measured comparisons of the ledger with the payment providers. */
export interface LedgerComparisons {
  readonly state: readonly { provider: string; differences: number; comparedUntilSeconds: number }[];
}

export function registerLedger(comparisons: LedgerComparisons, registry: Registry): void {
  const registers = [registry];
  const labelNames = ["provider"] as const;
  new Gauge({
    name: "beatmarket_ledger_differences",
    help: "Differences between the ledger and the payment provider in the compared days of the last 28 days.",
    labelNames,
    registers,
    collect() {
      for (const { provider, differences } of comparisons.state) this.set({ provider }, differences);
    },
  });
  new Gauge({
    name: "beatmarket_ledger_compared_until_seconds",
    help: "End of the newest day on which the ledger was compared with the payment provider, Unix time.",
    labelNames,
    registers,
    collect() {
      for (const { provider, comparedUntilSeconds } of comparisons.state) this.set({ provider }, comparedUntilSeconds);
    },
  });
}

/** The last measured number and age of orders and refunds whose payment is not settled. */
export interface PendingPayments {
  readonly state: Readonly<Record<"orders" | "refunds", { waiting: number; oldestSeconds: number }>>;
}

export function registerPendingPayments(pending: PendingPayments, registry: Registry): void {
  const registers = [registry];
  const labelNames = ["of"];
  new Gauge({
    name: "beatmarket_payments_pending",
    help: "Orders and refunds whose outcome the payment provider has not reported yet, over all processes. Measured every 15 seconds.",
    labelNames,
    registers,
    collect() {
      for (const [kind, { waiting }] of Object.entries(pending.state)) this.set({ of: kind }, waiting);
    },
  });
  new Gauge({
    name: "beatmarket_payments_pending_oldest_seconds",
    help: "Age of the oldest pending order or refund; 0 without any.",
    labelNames,
    registers,
    collect() {
      for (const [kind, { oldestSeconds }] of Object.entries(pending.state)) this.set({ of: kind }, oldestSeconds);
    },
  });
}
