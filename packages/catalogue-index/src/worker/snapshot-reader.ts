import { withTimeout } from "@beatmarket/foundation/with-timeout.ts";
import type { DatabaseAddress } from "@beatmarket/postgres/connection/address.ts";
import { Connection } from "@beatmarket/postgres/connection/connection.ts";
import { connectionConfig, serviceTimeouts } from "@beatmarket/postgres/connection/settings.ts";
import type { QueryResultRow } from "pg";
import type { SessionName } from "./session-name.ts";

/** Runs a named statement, which stays prepared under its name. */
export type Query = <Row extends QueryResultRow>(name: string, text: string, values?: unknown[]) => Promise<Row[]>;

export interface ReadOptions {
  /** After this time the connection is closed, since PostgreSQL may not respond. Absent: never. */
  timeoutMs?: number;
}

/** A custom plan for the ids of a statement is no better than the generic one, and costs more than reading the rows. */
const planning = "-c plan_cache_mode=force_generic_plan";

/**
 * One connection, on which all statements of a read see the same snapshot of the database. A read that fails ends the
 * connection; the next read opens another.
 */
export class SnapshotReader {
  readonly #address: DatabaseAddress;
  readonly #session: SessionName;
  #connection: Connection | null = null;
  #isClosed = false;

  constructor(address: DatabaseAddress, session: SessionName) {
    this.#address = address;
    this.#session = session;
  }

  /** Throws the error of PostgreSQL or the network, with its `code`. Only one read at a time. */
  async read<T>(work: (query: Query) => Promise<T>, { timeoutMs }: ReadOptions = {}): Promise<T> {
    try {
      const reading = this.#readOn(await this.#open(), work, timeoutMs === undefined);
      return await (timeoutMs === undefined ? reading : withTimeout(reading, timeoutMs, timedOut));
    } catch (error) {
      this.#connection?.destroy();
      this.#connection = null;
      throw error;
    }
  }

  /** Ends the connection, even during a statement. */
  close(): void {
    this.#isClosed = true;
    this.#connection?.destroy();
  }

  async #readOn<T>(connection: Connection, work: (query: Query) => Promise<T>, takesLong: boolean): Promise<T> {
    const send = (text: string): Promise<unknown> => connection.query(text);
    // Sent without waiting: if one of these fails, the statements after it fail as well.
    const replies = [send("begin isolation level repeatable read read only")];
    if (takesLong) replies.push(send("set local statement_timeout = 0"));
    for (const each of replies) each.catch(() => {});
    const result = await work(async (name, text, values = []) => (await connection.query({ name, text, values })).rows);
    await Promise.all(replies);
    send("commit").catch(() => {});
    return result;
  }

  async #open(): Promise<Connection> {
    if (this.#isClosed) throw Object.assign(new Error("The catalogue index is closed."), { code: "CONNECTION_CLOSED" });
    if (this.#connection?.isLost === false) return this.#connection;
    const config = connectionConfig(this.#address, { ...this.#session, ...serviceTimeouts });
    const connection = new Connection({ ...config, options: `${config.options} ${planning}`, pipeline: true });
    this.#connection = connection;
    await connection.connect();
    return connection;
  }
}

const timedOut = (): Error => Object.assign(new Error("PostgreSQL does not respond."), { code: "ETIMEDOUT" });
