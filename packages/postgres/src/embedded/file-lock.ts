import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const pollMs = 20;
const sqliteBusy = 5;

/**
 * A lock between processes on one file, held as an open SQLite transaction on it. The operating system releases it
 * however its holder ends, so a lock is never stale, as a pid file can be. Node has no flock. The file stays empty.
 */
export class FileLock {
  readonly #connection: DatabaseSync;

  /** Throws what SQLite throws when the file can neither be opened nor made. */
  constructor(file: string) {
    this.#connection = new DatabaseSync(file, { timeout: 0 });
  }

  /** Takes the lock exclusively; false when another holder has it, shared or exclusively. */
  tryExclusive(): boolean {
    return this.#try("begin exclusive");
  }

  /** Takes the lock shared; false when another holder has it exclusively. */
  tryShared(): boolean {
    // A transaction locks nothing before its first read.
    return this.#try("begin; select count(*) from sqlite_schema");
  }

  /** Waits for `tryExclusive`; false when `timeoutMs` have passed. `onWait` is called once, when it has to wait. */
  async exclusive(timeoutMs: number, onWait: () => void = () => {}): Promise<boolean> {
    const deadlineMs = performance.now() + timeoutMs;
    if (this.tryExclusive()) return true;
    onWait();
    while (performance.now() < deadlineMs) {
      await sleep(pollMs);
      if (this.tryExclusive()) return true;
    }
    return false;
  }

  /** Releases the lock, which can be taken again. */
  release(): void {
    if (this.#connection.isTransaction) this.#connection.exec("rollback");
  }

  /** Releases the lock and closes the file. */
  close(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }

  #try(sql: string): boolean {
    try {
      this.#connection.exec(sql);
      return true;
    } catch (error) {
      this.release();
      if (isBusy(error)) return false;
      throw error;
    }
  }
}

// The low byte is the primary code; what stands above it says more precisely why.
const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === sqliteBusy;
