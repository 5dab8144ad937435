import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { Logger } from "pino";
import { PlaceAway } from "./anchored-files.ts";
import { StorageUnavailable } from "./storage.ts";

const defaultTimeoutMs = 2_000;

export interface PresenceParts {
  objects: { requirePlace(): Promise<void> };
  log: Pick<Logger, "info" | "error">;
  /** Time limit of one check. */
  timeoutMs?: number;
}

/** Tracks whether the storage is available. Logs when it becomes unavailable and when it is back. */
export class StoragePresence {
  readonly #parts: PresenceParts;
  /** The error of the last check; null if it succeeded. */
  #fault: Error | null = null;
  #looking: Promise<void> | null = null;
  #wasLate = false;

  constructor(parts: PresenceParts) {
    this.#parts = parts;
  }

  /** For /metrics. Initially true, since a server does not start without its storage. */
  get isAvailable(): boolean {
    return this.#fault === null;
  }

  /** Whether this machine has a different place under the storage's name. Other servers may have the right one. */
  get isAway(): boolean {
    return this.#fault instanceof StorageUnavailable && this.#fault.cause instanceof PlaceAway;
  }

  /** Checks the storage. Never rejects; concurrent calls share one check. */
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
    // A busy machine is late once. A hanging disk is late every time.
    const isFirstLate = fault === late && !this.#wasLate;
    this.#wasLate = fault === late;
    if (isFirstLate) return;
    if (fault !== null && this.#fault === null)
      log.error({ err: fault }, "the storage of producers' files is unreachable");
    if (fault === null && this.#fault !== null) log.info("the storage of producers' files is back");
    this.#fault = fault;
  }
}
