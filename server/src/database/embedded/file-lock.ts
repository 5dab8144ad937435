import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const pollMs = 20;
const sqliteBusy = 5;

/**
 * A lock between processes on one file, held as an open SQLite transaction on it. The operating system lets go of
 * it however its holder ends, so there is never a stale one to judge, which a pid in a file would need; Node has
 * no flock of its own. The file itself stays empty.
 */
export class FileLock {
  readonly #connection: DatabaseSync;

  /** Throws what SQLite throws when the file can neither be opened nor made. */
  constructor(file: string) {
    this.#connection = new DatabaseSync(file, { timeout: 0 });
  }

  /** Takes the lock for this holder alone; false when anybody else holds it in either way. */
  tryExclusive(): boolean {
    return this.#try("begin exclusive");
  }

  /** Takes the lock together with others; false when somebody holds it alone. */
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

  /** Lets go; the lock can be taken again. */
  release(): void {
    if (this.#connection.isTransaction) this.#connection.exec("rollback");
  }

  /** Lets go for good. */
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
