import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { Logger } from "pino";
import { PlaceAway } from "./anchored-files.ts";
import { StorageUnavailable } from "./storage.ts";

const defaultTimeoutMs = 2_000;

export interface PresenceParts {
  objects: { requirePlace(): Promise<void> };
  log: Pick<Logger, "info" | "error">;
  /** Of one look. */
  timeoutMs?: number;
}

/** Whether the storage is there. Says in the log when it goes and when it is back. */
export class StoragePresence {
  readonly #parts: PresenceParts;
  /** What the last look ended with; null: all is well. */
  #fault: Error | null = null;
  #looking: Promise<void> | null = null;
  #wasLate = false;

  constructor(parts: PresenceParts) {
    this.#parts = parts;
  }

  /** For /metrics. A server does not start without its storage. */
  get isAvailable(): boolean {
    return this.#fault === null;
  }

  /** Another place stands under the storage's name here, where other servers may well have it. */
  get isAway(): boolean {
    return this.#fault instanceof StorageUnavailable && this.#fault.cause instanceof PlaceAway;
  }

  /** Never rejects; looks that begin during another one are that one. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { objects, log, timeoutMs = defaultTimeoutMs } = this.#parts;
    const late = new Error("it does not respond");
    const fault = await withTimeout(objects.requirePlace(), timeoutMs, () => late).then(
      () => null,
      (error: Error) => error,
    );
    // A busy machine is late once. A disk that hangs is late each time.
    const isFirstLate = fault === late && !this.#wasLate;
    this.#wasLate = fault === late;
    if (isFirstLate) return;
    if (fault !== null && this.#fault === null) log.error({ err: fault }, "the storage of producers' files is away");
    if (fault === null && this.#fault !== null) log.info("the storage of producers' files is back");
    this.#fault = fault;
  }
}
