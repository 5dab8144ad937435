import type { SessionName } from "@beatmarket/catalogue-index/worker/session-name.ts";
import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import { Connection } from "@beatmarket/postgres/connection/connection.ts";
import { connectionConfig, serviceTimeouts } from "@beatmarket/postgres/connection/settings.ts";

/**
 * The lock that allows one process at a time to write to the cluster: an advisory lock of PostgreSQL that ends with its
 * session. A process that has lost the lock without notice does no harm, because its late writes are refused (`state.ts`).
 */
export class FeedLock {
  readonly #address: DatabaseAddress;
  readonly #session: SessionName;
  readonly #name: string;
  #connection: Connection | null = null;
  #isHeld = false;

  constructor(address: DatabaseAddress, session: SessionName, name: string) {
    this.#address = address;
    this.#session = session;
    this.#name = name;
  }

  /** Returns whether this process has the lock; takes it if it is free. Throws PostgreSQL's error. */
  async take(): Promise<boolean> {
    if (this.#connection === null || this.#connection.isLost) await this.#connect();
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
    this.#isHeld = false;
  }

  async #connect(): Promise<void> {
    this.close();
    this.#connection = new Connection(connectionConfig(this.#address, { ...this.#session, ...serviceTimeouts }));
    await this.#connection.connect();
  }
}
