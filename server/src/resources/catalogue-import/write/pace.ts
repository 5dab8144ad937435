import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "../../../database/connect.ts";
import { isBeingRead } from "./import-session.ts";

/** So many rows a server's index takes in within some ten milliseconds. */
const rowsBesideReaders = 250;
/** Who has read within this time will read again, and may just now be waiting for the index. */
const holdMs = 3_000;

/**
 * How fast an import writes. A reader waits until its server has taken in what is committed, so beside readers an import
 * commits few rows at a time, and pauses behind each commit for as long as it took.
 */
export class Pace {
  #lastReadMs = Number.NEGATIVE_INFINITY;

  /** Whether the catalogue is being read, or was until just now. */
  async hasReaders(db: Queryable): Promise<boolean> {
    if (await isBeingRead(db)) this.#lastReadMs = performance.now();
    return performance.now() - this.#lastReadMs < holdMs;
  }

  /** Writes rows by `write`, which makes one transaction of what it gets: of all rows, or of few beside readers. */
  async write<Row>(db: Queryable, rows: readonly Row[], write: (some: readonly Row[]) => Promise<void>): Promise<void> {
    for (let from = 0; from < rows.length; ) {
      const hasReaders = await this.hasReaders(db);
      const to = hasReaders ? from + rowsBesideReaders : rows.length;
      const startedMs = performance.now();
      await write(rows.slice(from, to));
      from = to;
      if (hasReaders) await sleep(performance.now() - startedMs);
    }
  }
}
