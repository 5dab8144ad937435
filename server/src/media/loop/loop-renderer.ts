import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { ApiError } from "../../errors.ts";
import type { Answer } from "../../http/cache/response-cache.ts";
import type { LoopBeat } from "./loop.ts";
import type { RenderAnswer, RenderQuestion } from "./loop-worker.ts";

const defaultKeptBytes = 16 * 1024 * 1024;
/** About twenty seconds of rendering; beyond that a request is refused rather than queued. */
const defaultMaxWaiting = 200;

interface Waiting {
  resolve(loop: Answer): void;
  reject(error: Error): void;
}

/**
 * Renders loops in a thread of its own, so that API calls never wait for one, and keeps the latest 16 MB of them.
 * Requests for the same loop share one rendering. The thread starts with the first loop, and is replaced when it dies.
 */
export class LoopRenderer {
  /** Loops rendered so far. */
  rendered = 0;
  readonly #maxWaiting: number;
  readonly #kept: LRUCache<string, Answer>;
  readonly #flights = new Map<string, Promise<Answer>>();
  #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor({ maxWaiting = defaultMaxWaiting, keptBytes = defaultKeptBytes } = {}) {
    this.#maxWaiting = maxWaiting;
    this.#kept = new LRUCache({ maxSize: keptBytes, sizeCalculation: ({ body }) => body.length });
  }

  /** The loop of a beat as a file with its ETag. 503 when too many others wait to be rendered. */
  async find({ id, tempo, keyCode, genreName }: LoopBeat): Promise<Answer> {
    const name = JSON.stringify([id, tempo, keyCode, genreName]);
    const kept = this.#kept.get(name) ?? this.#flights.get(name);
    if (kept !== undefined) return kept;
    if (this.#waiting.size >= this.#maxWaiting) throw tooManyWaiting();
    const flight = this.#render({ id, tempo, keyCode, genreName }).finally(() => this.#flights.delete(name));
    this.#flights.set(name, flight);
    const loop = await flight;
    this.#kept.set(name, loop);
    return loop;
  }

  /** Ends the thread; what still waits is refused. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #render(beat: LoopBeat): Promise<Answer> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.postMessage({ id, beat } satisfies RenderQuestion);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./loop-worker.ts", import.meta.url));
    worker.unref();
    worker.on("message", (answer: RenderAnswer) => this.#receive(answer));
    // Without a listener an error in the thread would end the process; "exit" follows it.
    worker.on("error", () => {});
    worker.on("exit", () => {
      const lost = this.#waiting;
      this.#waiting = new Map();
      this.#worker = null;
      for (const { reject } of lost.values()) reject(new Error("The thread that renders loops ended."));
    });
    return worker;
  }

  #receive(answer: RenderAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("error" in answer) {
      waiting?.reject(new Error(answer.error));
      return;
    }
    this.rendered++;
    waiting?.resolve({ body: Buffer.from(answer.file.buffer), etag: `"${answer.sha1}"` });
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
