import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const pollMs = 20;
const sqliteBusy = 5;

/**
 * A lock between processes: an open SQLite transaction on a file. The operating system releases the lock even if its
 * holder is killed, so that it never becomes stale, unlike a pid file. SQLite, since Node has no flock. The file stays
 * empty.
 */
export class FileLock {
  readonly #connection: DatabaseSync;

  /** Throws SQLite's error if the file can be neither opened nor created. */
  constructor(file: string) {
    this.#connection = new DatabaseSync(file, { timeout: 0 });
  }

  /** Takes the lock exclusively. Returns false if another holder has it, shared or exclusively. */
  tryExclusive(): boolean {
    return this.#try("begin exclusive");
  }

  /** Takes the lock shared. Returns false if another holder has it exclusively. */
  tryShared(): boolean {
    // A transaction locks nothing before its first read.
    return this.#try("begin; select count(*) from sqlite_schema");
  }

  /** Repeats `tryExclusive`. Returns false after `timeoutMs`. Calls `onWait` once if it has to wait. */
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

  /** Releases the lock. It can be taken again. */
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

// The low byte is SQLite's primary code. The higher bytes give details.
const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === sqliteBusy;
