import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { Logger } from "pino";
import { WrongPlace } from "./anchored-files.ts";
import { StorageUnavailable } from "./storage.ts";

const defaultTimeoutMs = 2_000;

export interface PresenceParts {
  objects: { requirePlace(): Promise<void> };
  log: Pick<Logger, "info" | "error">;
  /** Time limit of one check. */
  timeoutMs?: number;
}

/** Tracks whether the storage is available. Logs each change. */
export class StoragePresence {
  readonly #parts: PresenceParts;
  /** Why the storage is unavailable; null while it is available. */
  #fault: Error | null = null;
  #running: Promise<void> | null = null;
  #wasLate = false;

  constructor(parts: PresenceParts) {
    this.#parts = parts;
  }

  /** For /metrics. Initially true, since a server does not start without its storage. */
  get isAvailable(): boolean {
    return this.#fault === null;
  }

  /** Whether this machine has another place under the storage's name. Other machines may have the right place. */
  get isWrongPlace(): boolean {
    return this.#fault instanceof StorageUnavailable && this.#fault.cause instanceof WrongPlace;
  }

  /** Checks the storage. Never rejects; concurrent calls share one check. */
  check(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #check(): Promise<void> {
    const { objects, log, timeoutMs = defaultTimeoutMs } = this.#parts;
    const late = new Error("it does not respond");
    const fault = await withTimeout(objects.requirePlace(), timeoutMs, () => late).then(
      () => null,
      (error: Error) => error,
    );
    // A single late response may be due to a busy machine. A hanging disk is late every time.
    const isFirstLate = fault === late && !this.#wasLate;
    this.#wasLate = fault === late;
    if (isFirstLate) return;
    if (fault !== null && this.#fault === null) log.error({ err: fault }, "the storage of files is unreachable");
    if (fault === null && this.#fault !== null) log.info("the storage of files is back");
    this.#fault = fault;
  }
}
