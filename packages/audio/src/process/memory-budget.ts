import { totalmem } from "node:os";

const MB = 1024 * 1024;
/** Reserved for this process, which starts the tasks, including the kernel's memory for its files and sockets. */
export const ownMemoryBytes = 256 * MB;
/** The minimum for tasks. A Node process without work takes half of it. */
const minTaskBytes = 128 * MB;

/** The memory for all tasks: the limit of the control group or machine minus `ownMemoryBytes`, at least 128 MB. */
export function memoryForTasks(
  limits: { constrainedBytes: number; machineBytes: number } = {
    // Supports cgroups of both versions. Without a limit, this is either 0, or larger than the machine's memory.
    constrainedBytes: process.constrainedMemory(),
    machineBytes: totalmem(),
  },
): number {
  const { constrainedBytes, machineBytes } = limits;
  const allowed = constrainedBytes > 0 ? Math.min(constrainedBytes, machineBytes) : machineBytes;
  return Math.max(allowed - ownMemoryBytes, minTaskBytes);
}

/** Memory that tasks share. A task waits in a queue until enough memory is free. */
export class MemoryBudget {
  readonly totalBytes: number;
  #freeBytes: number;
  readonly #waiting: { bytes: number; start: () => void }[] = [];

  constructor(totalBytes: number) {
    this.totalBytes = totalBytes;
    this.#freeBytes = totalBytes;
  }

  /**
   * Runs `work` when `bytes`, or the whole budget if it is smaller, are free. Runs `work` immediately if the signal
   * aborts.
   */
  async run<Result>(
    bytes: number,
    signal: AbortSignal,
    work: (maxMemoryBytes: number) => Promise<Result>,
  ): Promise<Result> {
    const maxMemoryBytes = Math.min(bytes, this.totalBytes);
    const isReserved = await this.#reserve(maxMemoryBytes, signal);
    try {
      return await work(maxMemoryBytes);
    } finally {
      if (isReserved) this.#release(maxMemoryBytes);
    }
  }

  /** Resolves to true when the bytes are reserved, or to false if the signal aborts first. */
  #reserve(bytes: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const abort = () => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        resolve(false);
        this.#startNext();
      };
      const entry = {
        bytes,
        start: () => {
          signal.removeEventListener("abort", abort);
          resolve(true);
        },
      };
      if (signal.aborted) return resolve(false);
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push(entry);
      this.#startNext();
    });
  }

  #release(bytes: number): void {
    this.#freeBytes += bytes;
    this.#startNext();
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.bytes <= this.#freeBytes; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#freeBytes -= next.bytes;
      next.start();
    }
  }
}
