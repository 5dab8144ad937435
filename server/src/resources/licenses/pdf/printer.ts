import { Worker } from "node:worker_threads";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Certificate } from "../certificate.ts";

/** A request to the thread. */
export interface PrintJob {
  id: number;
  certificate: Certificate;
}

/** The thread's result: the PDF, or the error. */
export type PrintResult = { id: number; pdf: Uint8Array<ArrayBuffer> } | { id: number; error: string };

interface Waiting {
  resolve(pdf: Uint8Array): void;
  reject(error: Error): void;
}

export interface PrinterOptions {
  /** Printing takes some 30 ms; beyond this many, requests are refused rather than queued. */
  maxWaiting?: number;
  /** From the request to the PDF, the start of the thread included. */
  timeoutMs?: number;
  /** Without a request for so long the thread ends; it holds some 60 MB. */
  idleMs?: number;
  /** The thread's module, for tests. */
  worker?: URL;
}

/** Prints certificates as PDF/A-2a in a thread of its own. It starts with the first one, ends when idle, and is replaced when it dies. */
export class CertificatePrinter {
  readonly #options: Required<PrinterOptions>;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | null = null;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(options: PrinterOptions = {}) {
    const worker = new URL("./typst-worker.ts", import.meta.url);
    this.#options = { maxWaiting: 64, timeoutMs: 15_000, idleMs: 60_000, worker, ...options };
  }

  /** Throws an ApiError 503 when too many wait, when it takes too long, and when the thread dies. */
  async print(certificate: Certificate): Promise<Uint8Array> {
    if (this.#waiting.size >= this.#options.maxWaiting) throw notPrinted("too many certificates are being printed");
    clearTimeout(this.#idleTimer);
    const id = ++this.#lastId;
    const timer = setTimeout(() => this.#abandon(id), this.#options.timeoutMs);
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        this.#thread ??= this.#start();
        this.#thread.postMessage({ id, certificate } satisfies PrintJob);
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#idleTimer = setTimeout(() => void this.close(), this.#options.idleMs).unref();
    }
  }

  /** Whether there is a thread at the moment. */
  get isRunning(): boolean {
    return this.#thread !== null;
  }

  /** Ends the thread; what is still queued is refused. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const thread = this.#thread;
    this.#thread = null;
    this.#refuseAll("the service is stopping");
    await thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(this.#options.worker);
    thread.unref();
    thread.on("message", (result: PrintResult) => {
      const waiting = this.#waiting.get(result.id);
      if ("error" in result) waiting?.reject(notPrinted("Typst refused it", result.error));
      else waiting?.resolve(result.pdf);
    });
    let cause: unknown;
    thread.on("error", (error) => {
      cause = error;
    });
    thread.on("exit", () => {
      if (this.#thread !== thread) return;
      this.#thread = null;
      this.#refuseAll("the thread that prints ended", cause);
    });
    return thread;
  }

  /** A certificate that takes too long keeps the thread from all others, so it ends with the thread. */
  #abandon(id: number): void {
    const thread = this.#thread;
    this.#thread = null;
    void thread?.terminate();
    this.#waiting.get(id)?.reject(notPrinted(`printing took more than ${this.#options.timeoutMs} ms`));
    this.#refuseAll("the thread that prints was replaced");
  }

  #refuseAll(reason: string, cause?: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(notPrinted(reason, cause));
  }
}

/** `reason` and `cause` are logged only. */
const notPrinted = (reason: string, cause?: unknown): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Certificate not ready",
    "The license's certificate cannot be made at the moment; try again in 5 seconds.",
    { headers: { "retry-after": "5" }, cause: new Error(reason, { cause }) },
  );
