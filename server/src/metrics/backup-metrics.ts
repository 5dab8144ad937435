import type { BackupState } from "@beatmarket/backup/backup-service.ts";
import { Counter, Gauge, type Registry } from "prom-client";

/** Shows how far backups reach. */
export function registerBackups(state: Readonly<BackupState>, registry: Registry): void {
  const registers = [registry];
  const ages = {
    base_age_seconds: { help: "Age of the newest base backup; absent without one.", of: () => state.backedUpAt },
    archived_age_seconds: {
      help: "How long ago the moment is up to which everything committed is in the vault; absent before it is known.",
      of: () => state.archivedUntil,
    },
  };
  for (const [name, { help, of }] of Object.entries(ages))
    new Gauge({
      name: `beatmarket_backup_${name}`,
      help,
      registers,
      collect() {
        this.reset();
        const moment = of();
        if (moment !== null) this.set(Math.max(0, (Date.now() - moment.getTime()) / 1_000));
        else this.remove();
      },
    });
  new Gauge({
    name: "beatmarket_backup_spooled_segments",
    help: "Finished segments of the write-ahead log (16 MB each) that wait for the vault; beyond 256 they are dropped.",
    registers,
    collect() {
      this.set(state.spooledSegments);
    },
  });
  new Counter({
    name: "beatmarket_backup_failures_total",
    help: "Failed attempts to bring something into the vault since start.",
    registers,
    collect() {
      this.reset();
      this.inc(state.failures);
    },
  });
}
