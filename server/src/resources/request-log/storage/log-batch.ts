import type { RequestLogEntry } from "../entry.ts";
import { LogBlock } from "./block.ts";

/** Entries that are written together: one block per key and owner, or more if a block is full. */
export class LogBatch {
  size = 0;
  readonly blocks: LogBlock[] = [];
  /** The block to fill next, by rate-limit bucket. */
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
