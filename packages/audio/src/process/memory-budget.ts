import { totalmem } from "node:os";

const MB = 1024 * 1024;
/** Of this process itself, which starts the tasks, with what the kernel counts for its files and sockets. */
export const ownMemoryBytes = 256 * MB;
/** Below this no task runs: Node alone takes half of it. */
const leastBytes = 128 * MB;

/** Bytes for all tasks at once, of what the control group (or else the machine) allows this process. */
export function memoryForTasks(
  limits: { constrainedBytes: number; machineBytes: number } = {
    // Beyond the machine, or 0, where no limit is set. It reads cgroups of both versions.
    constrainedBytes: process.constrainedMemory(),
    machineBytes: totalmem(),
  },
): number {
  const { constrainedBytes, machineBytes } = limits;
  const allowed = constrainedBytes > 0 ? Math.min(constrainedBytes, machineBytes) : machineBytes;
  return Math.max(allowed - ownMemoryBytes, leastBytes);
}

/** Memory that tasks share: each waits, in order, until what it may take is free. */
export class MemoryBudget {
  readonly totalBytes: number;
  #freeBytes: number;
  readonly #waiting: { bytes: number; start: () => void }[] = [];

  constructor(totalBytes: number) {
    this.totalBytes = totalBytes;
    this.#freeBytes = totalBytes;
  }

  /** Runs `work` with at most `bytes`, or with all there are where that is less; at once when the signal aborts. */
  async run<Result>(
    bytes: number,
    signal: AbortSignal,
    work: (maxMemoryBytes: number) => Promise<Result>,
  ): Promise<Result> {
    const taken = Math.min(bytes, this.totalBytes);
    const isTaken = await this.#take(taken, signal);
    try {
      return await work(taken);
    } finally {
      if (isTaken) this.#give(taken);
    }
  }

  /** False when the signal aborted first. */
  #take(bytes: number, signal: AbortSignal): Promise<boolean> {
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

  #give(bytes: number): void {
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
