import { type MessagePort, Worker } from "node:worker_threads";
import type { CatalogueIndex } from "@beatmarket/catalogue-index/catalogue-index.ts";
import type { Certificate } from "@beatmarket/http/tls/certificate.ts";
import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import type { Logger } from "pino";
import type { ThreadSettings } from "../services/scope.ts";
import { forgetThread, type ThreadMemory } from "../thread-memory.ts";

const restartPauseMs = 100;
/** After this number of ends within a minute, the server stops, since a new thread would end as well. */
const maxEnds = 5;
const endsWithinMs = 60_000;
/**
 * The time limit for a thread's metrics. A thread that exceeds it is busy or ending, and its metrics are omitted once.
 */
const metricsTimeoutMs = 2_000;
/** The young generation of a thread: three semi-spaces of the main thread's size (scripts/node/node26.mjs). */
const resourceLimits = { maxYoungGenerationSizeMb: 48 };

interface Running {
  worker: Worker;
  /** Stops sharing the index with the thread. */
  unshare: () => void;
  exited: Promise<void>;
}

export interface HttpThreadsParts extends ThreadSettings {
  data: Omit<ThreadData, "index" | "memory" | "certificate">;
  certificate: Certificate | null;
  index: CatalogueIndex;
  logger: Logger;
}

/** The threads that accept connections. A thread that ends is replaced. */
export class HttpThreads {
  readonly #parts: HttpThreadsParts;
  readonly #running = new Map<number, Running>();
  readonly #metricsRequests = new Map<number, (metrics: object[]) => void>();
  #certificate: Certificate | null;
  #isStopping = false;
  #lastMetricsRequest = 0;
  #endedMs: number[] = [];
  /** Number of threads that ended unexpectedly, since start. */
  ends = 0;

  constructor(parts: HttpThreadsParts) {
    this.#parts = parts;
    this.#certificate = parts.certificate;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Resolves when all threads listen. Rejects if a thread cannot listen. */
  async listen(): Promise<void> {
    await Promise.all(Array.from({ length: this.#parts.count }, (_, index) => this.#start(index)));
  }

  useCertificate(certificate: Certificate): void {
    this.#certificate = certificate;
    this.#postToAll({ certificate });
  }

  /** Makes all threads continue with `Connection: close` in responses. */
  retire(): void {
    this.#postToAll("retire");
  }

  /** Ends the threads after they have completed their requests. */
  async close(): Promise<void> {
    this.#isStopping = true;
    this.#postToAll("close");
    await Promise.all([...this.#running.values()].map(({ exited }) => exited));
  }

  /** The metrics of each thread. */
  async metrics(): Promise<object[][]> {
    return Promise.all(
      [...this.#running.values()].map(
        ({ worker }) =>
          new Promise<object[]>((resolve) => {
            const metricsFor = ++this.#lastMetricsRequest;
            const settle = (metrics: object[]) => {
              clearTimeout(timer);
              this.#metricsRequests.delete(metricsFor);
              resolve(metrics);
            };
            const timer = setTimeout(settle, metricsTimeoutMs, []);
            this.#metricsRequests.set(metricsFor, settle);
            worker.postMessage({ metricsFor } satisfies ToThread);
          }),
      ),
    );
  }

  #postToAll(message: ToThread): void {
    for (const { worker } of this.#running.values()) worker.postMessage(message);
  }

  async #start(index: number): Promise<void> {
    const { entry, memory, data, index: catalogueIndex } = this.#parts;
    const workerData: ThreadData = { ...data, index, memory, certificate: this.#certificate };
    const worker = new Worker(entry, { workerData, resourceLimits });
    const { threadId } = worker;
    const listening = Promise.withResolvers<void>();
    let cause: unknown;
    worker.on("message", (message: FromThread) => {
      if (message === "listening") listening.resolve();
      else this.#receive(index, message);
    });
    // The event "exit" follows.
    worker.on("error", (error) => {
      cause = error;
    });
    const exited = new Promise<void>((resolve) => {
      worker.once("exit", (code) => {
        const error = cause ?? new Error(`exit code ${code}`);
        this.#end(index, threadId, error);
        listening.reject(error);
        resolve();
      });
    });
    const unshare = catalogueIndex.share((indexPort) =>
      worker.postMessage({ indexPort } satisfies ToThread, [indexPort]),
    );
    this.#running.set(index, { worker, unshare, exited });
    await listening.promise;
  }

  #receive(from: number, message: Exclude<FromThread, "listening">): void {
    if ("metricsFor" in message) this.#metricsRequests.get(message.metricsFor)?.(message.metrics);
    else for (const [index, { worker }] of this.#running) if (index !== from) worker.postMessage(message);
  }

  #end(index: number, threadId: number, cause: unknown): void {
    this.#running.get(index)?.unshare();
    this.#running.delete(index);
    this.#forget(index, threadId, cause);
  }

  /**
   * Frees the places and locks of the thread, and starts another thread. Freeing fails while another thread that has
   * ended holds a lock. It is tried again, because that thread's own event frees the lock.
   */
  #forget(index: number, threadId: number, cause: unknown): void {
    try {
      forgetThread(this.#parts.memory, index, threadId);
    } catch (error) {
      this.#parts.logger.warn(
        { err: error },
        "the places and locks of an ended thread could not be freed; trying again",
      );
      setTimeout(() => this.#forget(index, threadId, cause), restartPauseMs);
      return;
    }
    if (!this.#isStopping) this.#replace(index, cause);
  }

  #replace(index: number, cause: unknown): void {
    const { logger, onLost } = this.#parts;
    this.ends++;
    const nowMs = performance.now();
    this.#endedMs = [...this.#endedMs.filter((ms) => ms > nowMs - endsWithinMs), nowMs];
    if (this.#endedMs.length >= maxEnds) {
      const reason = `${maxEnds} threads that answer HTTP ended within a minute. The server stops.`;
      logger.fatal({ err: cause }, reason);
      onLost(new Error(reason, { cause }));
      return;
    }
    logger.error({ err: cause }, "a thread that answers HTTP ended; starting another one");
    setTimeout(() => {
      if (!this.#isStopping) this.#start(index).catch(() => {});
    }, restartPauseMs);
  }
}

// The messages between the main thread and the threads that accept connections.

/** The data with which a thread starts. */
export interface ThreadData {
  index: number;
  memory: ThreadMemory;
  address: DatabaseAddress;
  /** Null behind a proxy that ends TLS. */
  certificate: Certificate | null;
  /** The socket of the main thread. */
  socketPath: string;
  port: number;
  publicUrl: string;
  /** The folder of the built web app. */
  portalFolder: string;
}

/** A connection that its thread closes to make room for a connection of another thread. */
export interface Room {
  standing: "stranger" | "known";
  network: string | null;
}

export type ToThread =
  | { indexPort: MessagePort }
  | { certificate: Certificate }
  | { room: Room }
  | { metricsFor: number }
  | "retire"
  | "close";

export type FromThread = "listening" | { room: Room } | { metricsFor: number; metrics: object[] };
