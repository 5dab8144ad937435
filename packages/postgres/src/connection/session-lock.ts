import type { DatabaseAddress } from "./address.ts";
import { Connection } from "./connection.ts";
import { type ConnectionOptions, connectionConfig, serviceTimeouts } from "./settings.ts";

/**
 * A lock that one process at a time has: an advisory lock of PostgreSQL that ends with its session. The process may
 * lose the lock without notice, so its work must do no harm if another process does the same work.
 */
export class SessionLock {
  readonly #address: DatabaseAddress;
  readonly #session: ConnectionOptions;
  readonly #name: string;
  #connection: Connection | null = null;
  #isHeld = false;

  constructor(address: DatabaseAddress, session: ConnectionOptions, name: string) {
    this.#address = address;
    this.#session = session;
    this.#name = name;
  }

  /** Returns whether this process has the lock; takes it if it is free. Throws PostgreSQL's error. */
  async take(): Promise<boolean> {
    if (this.#connection?.isLost !== false) await this.#connect();
    if (this.#isHeld) return true;
    const { rows } = await (this.#connection as Connection).query(
      "select pg_try_advisory_lock(hashtextextended($1, 0)) as held",
      [this.#name],
    );
    this.#isHeld = rows[0].held;
    return this.#isHeld;
  }

  get isHeld(): boolean {
    return this.#isHeld && this.#connection?.isLost === false;
  }

  close(): void {
    this.#connection?.destroy();
    this.#connection = null;
    this.#isHeld = false;
  }

  async #connect(): Promise<void> {
    this.close();
    this.#connection = new Connection(connectionConfig(this.#address, { ...this.#session, ...serviceTimeouts }));
    await this.#connection.connect();
  }
}
