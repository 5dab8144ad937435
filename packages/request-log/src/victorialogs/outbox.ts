import type { Logger } from "pino";
import type { LogBlock } from "../storage/block.ts";
import type { VictoriaLogsClient } from "./client.ts";
import { linesOf } from "./rows.ts";

/** About a million compressed calls. */
const maxBytes = 64_000_000;

interface CompressedCalls {
  compressed: Buffer<ArrayBuffer>;
  calls: number;
}

/** Sends calls to the engine, oldest first. While the engine is unreachable, the calls wait in a bounded queue. */
export class Outbox {
  /** The number of calls that were dropped because the queue was full. */
  dropped = 0;
  waiting = 0;
  readonly #client: VictoriaLogsClient;
  readonly #log: Pick<Logger, "warn">;
  readonly #maxBytes: number;
  #queue: CompressedCalls[] = [];
  #bytes = 0;
  #sending: Promise<void> | null = null;

  constructor(client: VictoriaLogsClient, log: Pick<Logger, "warn">, maxQueueBytes: number = maxBytes) {
    this.#client = client;
    this.#log = log;
    this.#maxBytes = maxQueueBytes;
  }

  async compress(blocks: readonly LogBlock[]): Promise<CompressedCalls> {
    const calls = blocks.reduce((sum, block) => sum + block.calls, 0);
    return { compressed: await this.#client.compress(blocks.map(linesOf).join("")), calls };
  }

  add({ compressed, calls }: CompressedCalls): void {
    if (calls === 0) return;
    if (this.#bytes + compressed.length > this.#maxBytes) {
      this.dropped += calls;
      return;
    }
    this.#queue.push({ compressed, calls });
    this.#bytes += compressed.length;
    this.waiting += calls;
  }

  /** Sends the waiting calls. Calls that the engine does not accept stay in the queue. Never rejects. */
  flush(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      try {
        await this.#client.insert(next.compressed);
      } catch (error) {
        this.#log.warn({ err: error, waiting: this.waiting }, "request log write failed; retrying");
        return;
      }
      this.#queue.shift();
      this.#bytes -= next.compressed.length;
      this.waiting -= next.calls;
    }
  }
}
