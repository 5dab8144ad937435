import type { RequestLogEntry } from "../entry.ts";
import { LogBlock } from "./block.ts";

/** Entries on their way into the log together: a block for each key that called, or some where one does not hold them. */
export class LogBatch {
  size = 0;
  readonly blocks: LogBlock[] = [];
  /** The one being filled, by key and where it was used. */
  readonly #filling = new Map<number, LogBlock>();

  static of(entries: readonly RequestLogEntry[]): LogBatch {
    const batch = new LogBatch();
    for (const entry of entries) batch.add(entry);
    return batch;
  }

  add(entry: RequestLogEntry): void {
    const bucket = (entry.apiKeyId ?? -1) * 2 + Number(entry.fromExplorer);
    let block = this.#filling.get(bucket);
    if (block?.owner.userId !== entry.userId || !block.add(entry)) {
      block = new LogBlock(entry);
      block.add(entry);
      this.#filling.set(bucket, block);
      this.blocks.push(block);
    }
    this.size++;
  }
}
