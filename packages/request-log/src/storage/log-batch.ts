import type { RequestLogEntry } from "../entry.ts";
import { LogBlock } from "./block.ts";

/** Entries that are written together: for each key and owner a block, or several if a block takes no further entry. */
export class LogBatch {
  size = 0;
  readonly blocks: LogBlock[] = [];
  /**
   * Calls that are only added to the rollups. They have no texts, so they share a few shapes and take little memory.
   */
  readonly countedBlocks: LogBlock[] = [];
  /** The block to fill next, by rate-limit bucket. */
  readonly #filling = new Map<number, LogBlock>();
  readonly #fillingCounted = new Map<number, LogBlock>();

  static fromEntries(entries: readonly RequestLogEntry[]): LogBatch {
    const batch = new LogBatch();
    for (const entry of entries) batch.add(entry);
    return batch;
  }

  add(entry: RequestLogEntry): void {
    this.#addTo(this.blocks, this.#filling, entry);
  }

  /** Adds a call to the rollups, but not to the log. */
  count(entry: RequestLogEntry): void {
    this.#addTo(this.countedBlocks, this.#fillingCounted, { ...entry, ...withoutTexts });
  }

  #addTo(blocks: LogBlock[], filling: Map<number, LogBlock>, entry: RequestLogEntry): void {
    const bucket = (entry.apiKeyId ?? -1) * 2 + Number(entry.fromExplorer);
    let block = filling.get(bucket);
    if (block?.owner.userId !== entry.userId || !block.add(entry)) {
      block = new LogBlock(entry);
      block.add(entry);
      filling.set(bucket, block);
      blocks.push(block);
    }
    this.size++;
  }
}

const withoutTexts = {
  path: "",
  query: "",
  errorMessage: null,
  errorDetails: null,
  headers: "",
  body: null,
  clientAddress: "",
  userAgent: "",
};
