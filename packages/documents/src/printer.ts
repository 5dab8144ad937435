import { Worker } from "node:worker_threads";
import { ApiError } from "@beatmarket/foundation/errors.ts";

/** A request to the thread. */
export interface PrintJob {
  id: number;
  /** The URL of the module of a `PrintedDocument`. */
  document: string;
  facts: unknown;
}

/** The thread's result: the PDF, or the error. */
export type PrintResult = { id: number; pdf: Uint8Array<ArrayBuffer> } | { id: number; error: string };

interface WaitingRequest {
  resolve(pdf: Uint8Array): void;
  /** `reason` and `cause` are logged only. */
  refuse(reason: string, cause?: unknown): void;
}

export interface PrinterOptions {
  /** The maximum number of running and queued requests; others are refused. Printing takes about 30 ms. */
  maxWaiting?: number;
  /** The time limit from the request to the PDF, including the start of the thread. */
  timeoutMs?: number;
  /** The thread, which needs about 60 MB, ends after this time without a request. */
  idleMs?: number;
  /** The thread's module, for tests. */
  worker?: URL;
}

/** The young generation of the thread: three semi-spaces of the main thread's size. */
const resourceLimits = { maxYoungGenerationSizeMb: 48 };

/** A kind of document. */
export interface Printable {
  module: URL;
  /** The name in messages, such as `certificate`. */
  name: string;
}

/**
 * Prints documents as PDF/A in a separate thread. The thread starts with the first document and ends when idle. If
 * it dies, the next document starts another.
 */
export class DocumentPrinter {
  readonly #options: Required<PrinterOptions>;
  readonly #waiting = new Map<number, WaitingRequest>();
  #thread: Worker | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(options: PrinterOptions = {}) {
    const worker = new URL("./typst-worker.ts", import.meta.url);
    this.#options = { maxWaiting: 64, timeoutMs: 15_000, idleMs: 60_000, worker, ...options };
  }

  /** Throws an ApiError 503 if too many requests wait, Typst fails or takes too long, or the thread ends. */
  async print({ module, name }: Printable, facts: unknown): Promise<Uint8Array> {
    if (this.#waiting.size >= this.#options.maxWaiting) throw notPrinted(name)("too many documents are being printed");
    clearTimeout(this.#idleTimer);
    const id = ++this.#lastId;
    const timer = setTimeout(() => this.#abandon(id), this.#options.timeoutMs);
    try {
      return await new Promise((resolve, reject) => {
        const refuse: WaitingRequest["refuse"] = (reason, cause) => reject(notPrinted(name)(reason, cause));
        this.#waiting.set(id, { resolve, refuse });
        this.#thread ??= this.#start();
        this.#thread.postMessage({ id, document: module.href, facts } satisfies PrintJob);
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#idleTimer = setTimeout(() => void this.close(), this.#options.idleMs).unref();
    }
  }

  /** Whether the thread is running. */
  get isRunning(): boolean {
    return this.#thread !== null;
  }

  /** Ends the thread and refuses queued requests. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const thread = this.#thread;
    this.#thread = null;
    this.#refuseAll("the service is stopping");
    await thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(this.#options.worker, { resourceLimits });
    thread.unref();
    thread.on("message", (result: PrintResult) => {
      const waiting = this.#waiting.get(result.id);
      if ("error" in result) waiting?.refuse("Typst refused the document", result.error);
      else waiting?.resolve(result.pdf);
    });
    let cause: unknown;
    thread.on("error", (error) => {
      cause = error;
    });
    thread.on("exit", () => {
      if (this.#thread !== thread) return;
      this.#thread = null;
      this.#refuseAll("the printing thread ended", cause);
    });
    return thread;
  }

  /** Ends the thread, since a document that takes too long blocks all others. */
  #abandon(id: number): void {
    const thread = this.#thread;
    this.#thread = null;
    void thread?.terminate();
    this.#waiting.get(id)?.refuse(`printing took more than ${this.#options.timeoutMs} ms`);
    this.#refuseAll("the printing thread was replaced");
  }

  #refuseAll(reason: string, cause?: unknown): void {
    for (const { refuse } of this.#waiting.values()) refuse(reason, cause);
  }
}

const notPrinted =
  (name: string) =>
  (reason: string, cause?: unknown): ApiError =>
    new ApiError(
      503,
      "server_error",
      "Document not ready",
      `The ${name} cannot be made at the moment; try again in 5 seconds.`,
      { headers: { "retry-after": "5" }, cause: new Error(reason, { cause }) },
    );
