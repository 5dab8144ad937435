import { setTimeout as sleep } from "node:timers/promises";
import { auditLog } from "../../../src/resources/licenses/log/audit.ts";
import { leafCount } from "../../../src/resources/licenses/log/leaves.ts";
import { type PublicReader, readerOf } from "../../foreign/public-reader.ts";
import type { TestDatabase } from "../../harness/database/driver.ts";
import type { Address } from "../stage/client.ts";

const pollMs = 200;

const publishedWithinMs = 60_000;

interface PublishedCheckpoint {
  checkpoint: string;
  /** The time when the server last returned it. */
  atMs: number;
}

/** The license log from the view of an auditor who stores every published checkpoint. */
export class WatchedLog {
  #checkpoints: PublishedCheckpoint[] = [];
  #key = "";

  /** Stores the checkpoints that a server publishes, until the caller stops it. */
  watch(address: Address): { stop(): Promise<void> } {
    let isOver = false;
    const reader = readerOf(address);
    const watching = (async () => {
      while (!isOver) {
        const checkpoint = await reader.text("/licenses/log/checkpoint").catch(() => null);
        if (this.#key === "") this.#key = (await reader.text("/licenses/log/key").catch(() => "")).trim();
        if (checkpoint !== null) this.#note(checkpoint);
        await sleep(pollMs);
      }
      await reader.close();
    })();
    return {
      stop: async () => {
        isOver = true;
        await watching;
      },
    };
  }

  #note(checkpoint: string): void {
    const last = this.#checkpoints.at(-1);
    if (last?.checkpoint === checkpoint) last.atMs = performance.now();
    else this.#checkpoints.push({ checkpoint, atMs: performance.now() });
  }

  /**
   * Audits the log that the restored server has published. Returns the problems after the newest checkpoint that the
   * log continues, and the time from the last read of that checkpoint to the loss of the disk.
   */
  async audit(address: Address, db: TestDatabase, lostAtMs: number): Promise<{ lostMs: number; problems: string[] }> {
    const reader = readerOf(address);
    try {
      await published(reader, db);
      const readFile = (path: string) => reader.bytes(`/licenses/log/${path}`).catch(() => null);
      for (;;) {
        const newest = this.#checkpoints.at(-1);
        const storedCheckpoint = newest === undefined ? null : { key: this.#key, checkpoint: newest.checkpoint };
        const { problems } = await auditLog(readFile, { key: this.#key, storedCheckpoint });
        if (problems.length === 0 || newest === undefined)
          return {
            lostMs: newest === undefined ? Number.POSITIVE_INFINITY : Math.max(0, lostAtMs - newest.atMs),
            problems,
          };
        this.#checkpoints.pop();
      }
    } finally {
      await reader.close();
    }
  }
}

/** Waits until the log has all committed leaves. */
async function published(reader: PublicReader, { query: db }: TestDatabase): Promise<void> {
  for (const deadlineMs = performance.now() + publishedWithinMs; performance.now() < deadlineMs; ) {
    const checkpoint = await reader.text("/licenses/log/checkpoint").catch(() => "");
    if (Number(checkpoint.split("\n")[1]) >= (await leafCount(db))) return;
    await sleep(pollMs);
  }
  throw new Error(`The license log lacks committed leaves after ${publishedWithinMs / 1_000} seconds.`);
}
