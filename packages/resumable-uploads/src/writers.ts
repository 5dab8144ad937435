import { ApiError } from "@beatmarket/foundation/errors.ts";
import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";

/**
 * A writer without bytes for this time has stalled and may be replaced. A client may reconnect while the server still
 * waits for bytes on a broken connection.
 */
const stalledMs = 3_000;
const releaseTimeoutMs = 10_000;
const retrySeconds = 2;

/** A request that writes to an upload. */
interface Writer {
  /** The monotonic time of the last bytes. */
  lastBytesMs: number;
  interrupt: (reason: ApiError) => void;
  released: Promise<void>;
}

/** The lock that a writer holds. */
export interface WriteLock {
  /** Aborts, with an `ApiError`, when the writer must end. */
  interrupted: AbortSignal;
  /** Records that bytes have arrived. */
  progress(): void;
  /** Runs `work`. The writer does not count as stalled during the work, since it reads no bytes. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  release(): void;
}

/**
 * Allows one writer at a time for each upload of this process. Writers on other instances conflict at the offset
 * (`appendPart`).
 */
export class Writers {
  readonly #nowMs: () => number;
  readonly #writers = new Map<string, Writer>();
  #isStopped = false;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Makes the caller the upload's writer. Interrupts a stalled writer. Throws 423 if another writer receives bytes or
   * does not end, and 503 after `stop`.
   */
  async acquire(id: string): Promise<WriteLock> {
    await this.settle(id);
    if (this.#isStopped) throw stopping();
    if (this.#writers.has(id)) throw locked();
    const interruption = new AbortController();
    const { promise: released, resolve } = Promise.withResolvers<void>();
    const writer: Writer = {
      lastBytesMs: this.#nowMs(),
      interrupt: (reason) => interruption.abort(reason),
      released,
    };
    this.#writers.set(id, writer);
    const progress = () => {
      writer.lastBytesMs = this.#nowMs();
    };
    return {
      interrupted: interruption.signal,
      progress,
      hold: async (work) => {
        writer.lastBytesMs = Number.POSITIVE_INFINITY;
        return work().finally(progress);
      },
      release: () => {
        this.#writers.delete(id);
        resolve();
      },
    };
  }

  /**
   * Interrupts the upload's writer if it has stalled, and waits until its bytes are stored. Throws 423 if it does not
   * end within ten seconds.
   */
  async settle(id: string): Promise<void> {
    const writer = this.#writers.get(id);
    if (writer !== undefined && this.#nowMs() - writer.lastBytesMs >= stalledMs) await this.#end(writer, overtaken());
  }

  /**
   * Interrupts the upload's writer, even if it has not stalled, and waits until it ends. Throws 423 if it does not end
   * within ten seconds.
   */
  async interrupt(id: string): Promise<void> {
    const writer = this.#writers.get(id);
    if (writer !== undefined) await this.#end(writer, overtaken());
  }

  /** Interrupts all writers and refuses new writers, so that the server can stop. Received bytes are stored. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.allSettled(this.#writers.values().map((writer) => this.#end(writer, stopping())));
  }

  async #end(writer: Writer, reason: ApiError): Promise<void> {
    writer.interrupt(reason);
    await withTimeout(writer.released, releaseTimeoutMs, locked);
  }
}

const locked = (): ApiError =>
  new ApiError(
    423,
    "invalid_request",
    "Locked",
    `Another request is sending bytes of this upload. Wait for it, then ask for the offset with HEAD and continue from there.`,
    { headers: { "retry-after": String(retrySeconds) } },
  );

/** The error of a writer that another request has replaced. */
export const overtaken = (): ApiError =>
  new ApiError(
    409,
    "invalid_request",
    "Conflict",
    "Another request took over this upload. Ask for the offset with HEAD, and continue from there.",
    { headers: { connection: "close" } },
  );

const stopping = (): ApiError =>
  new ApiError(
    503,
    "server_error",
    "Service unavailable",
    "The server is stopping. What has arrived is kept; ask for the offset with HEAD in a few seconds, and continue from there.",
    { headers: { "retry-after": String(retrySeconds), connection: "close" }, refusedBy: "overload" },
  );
