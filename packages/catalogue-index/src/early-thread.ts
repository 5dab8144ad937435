import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { ThreadData } from "./worker/messages.ts";
import type { SnapshotOptions } from "./worker/snapshots.ts";

/**
 * Limits the heap, which holds the batches of a build. Typed arrays are outside the heap. Concurrent
 * searches are as fast with a young generation of 16 MB as with one of 32.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1_024 };

/** The snapshots of a server in its data folder. */
export const snapshotsIn = (dataDir: string): SnapshotOptions => ({
  file: join(dataDir, "catalogue-index/snapshot"),
  fromBeats: 20_000,
  minAgeMs: 600_000,
});

export const startThread = (workerData: ThreadData): Worker =>
  new Worker(new URL("./worker/index-worker.ts", import.meta.url), { workerData, resourceLimits });

/** The thread of an index, started before its database: it opens the snapshot in the data folder at the same time. */
export class EarlyThread {
  #worker: Worker | null;

  constructor(dataDir: string) {
    const worker = startThread({ snapshots: snapshotsIn(dataDir), withoutSnapshot: false });
    this.#worker = worker;
    // Without a listener, an error of the thread would end the process.
    worker.on("error", () => {});
    worker.once("exit", () => {
      this.#worker = null;
    });
  }

  /** Returns the thread for the index; null if it has ended, or was taken. */
  take(): Worker | null {
    const worker = this.#worker;
    this.#worker = null;
    return worker;
  }

  /** Ends the thread unless it was taken. */
  async close(): Promise<void> {
    await this.take()?.terminate();
  }
}
