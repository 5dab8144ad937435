import { Worker } from "node:worker_threads";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { LRUCache } from "lru-cache";
import type { LoopBeat } from "./loop.ts";
import type { RenderJob, RenderResult } from "./loop-worker.ts";

const defaultCacheBytes = 16 * 1024 * 1024;
/** The limit of loops that are being rendered or wait: about five seconds of rendering. */
const defaultMaxWaiting = 48;

/** A WAV file with its ETag. */
export interface RenderedLoop {
  body: Buffer;
  etag: string;
}

interface WaitingRequest {
  resolve(loop: RenderedLoop): void;
  reject(error: Error): void;
}

/**
 * Renders loops in a separate thread, so that API calls never wait for a rendering. Caches up to 16 MB of recent loops.
 * Requests for the same loop share one rendering. The thread starts with the first loop, and is replaced if it crashes.
 */
export class LoopRenderer {
  /** The number of loops rendered so far. */
  rendered = 0;
  readonly maxWaiting: number;
  readonly #cache: LRUCache<string, RenderedLoop>;
  readonly #inFlight = new Map<string, Promise<RenderedLoop>>();
  #waiting = new Map<number, WaitingRequest>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor({ maxWaiting = defaultMaxWaiting, cacheBytes = defaultCacheBytes } = {}) {
    this.maxWaiting = maxWaiting;
    this.#cache = new LRUCache({ maxSize: cacheBytes, sizeCalculation: ({ body }) => body.length });
  }

  /** The number of loops that are being rendered or wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  get cached(): { entries: number; bytes: number } {
    return { entries: this.#cache.size, bytes: this.#cache.calculatedSize };
  }

  /**
   * The loop of a beat as a file with its ETag. Throws 503 if too many other loops wait. `admit` is called before a
   * rendering; if it throws, the request is refused with that error.
   */
  async find({ id, tempo, keyCode, genreName }: LoopBeat, admit = () => {}): Promise<RenderedLoop> {
    const name = JSON.stringify([id, tempo, keyCode, genreName]);
    const pending = this.#cache.get(name) ?? this.#inFlight.get(name);
    if (pending !== undefined) return pending;
    if (this.#waiting.size >= this.maxWaiting) throw tooManyWaiting();
    admit();
    const rendering = this.#render({ id, tempo, keyCode, genreName }).finally(() => this.#inFlight.delete(name));
    this.#inFlight.set(name, rendering);
    const loop = await rendering;
    this.#cache.set(name, loop);
    return loop;
  }

  /** Ends the thread and rejects all waiting requests. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #render(beat: LoopBeat): Promise<RenderedLoop> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.postMessage({ id, beat } satisfies RenderJob);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./loop-worker.ts", import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    worker.unref();
    worker.on("message", (result: RenderResult) => this.#receive(result));
    // Without a listener an error in the thread would end the process; "exit" follows it.
    worker.on("error", () => {});
    worker.on("exit", () => {
      const aborted = this.#waiting;
      this.#waiting = new Map();
      this.#worker = null;
      for (const { reject } of aborted.values()) reject(new Error("The thread that renders loops ended."));
    });
    return worker;
  }

  #receive(result: RenderResult): void {
    const waiting = this.#waiting.get(result.id);
    this.#waiting.delete(result.id);
    if ("error" in result) {
      waiting?.reject(new Error(result.error));
      return;
    }
    this.rendered++;
    waiting?.resolve({ body: Buffer.from(result.file.buffer), etag: `"${result.sha1}"` });
  }
}

const tooManyWaiting = (): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Too many previews at once",
    "Too many previews are being made; try again in 5 seconds.",
    {
      headers: { "retry-after": "5" },
    },
  );
