import type { Logger } from "pino";
import type { LogBlock } from "../storage/block.ts";
import type { VictoriaLogsClient } from "./client.ts";
import { linesOf } from "./rows.ts";

/** Enough for some million calls, which are compressed. */
const maxBytes = 64_000_000;

interface PackedCalls {
  packed: Buffer<ArrayBuffer>;
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
  #queue: PackedCalls[] = [];
  #bytes = 0;
  #sending: Promise<void> | null = null;

  constructor(client: VictoriaLogsClient, log: Pick<Logger, "warn">, maxQueueBytes: number = maxBytes) {
    this.#client = client;
    this.#log = log;
    this.#maxBytes = maxQueueBytes;
  }

  async pack(blocks: readonly LogBlock[]): Promise<PackedCalls> {
    const calls = blocks.reduce((sum, block) => sum + block.calls, 0);
    return { packed: await this.#client.packed(blocks.map(linesOf).join("")), calls };
  }

  add({ packed, calls }: PackedCalls): void {
    if (calls === 0) return;
    if (this.#bytes + packed.length > this.#maxBytes) {
      this.dropped += calls;
      return;
    }
    this.#queue.push({ packed, calls });
    this.#bytes += packed.length;
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
        await this.#client.insert(next.packed);
      } catch (error) {
        this.#log.warn({ err: error, waiting: this.waiting }, "request log write failed; retrying");
        return;
      }
      this.#queue.shift();
      this.#bytes -= next.packed.length;
      this.waiting -= next.calls;
    }
  }
}
