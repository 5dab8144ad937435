import { ApiError } from "../../errors.ts";
import type { ReadServer } from "../connection/connect.ts";
import type { Replica } from "./replica.ts";

/** PostgreSQL gave the statement up: it would take as long elsewhere. */
const queryCanceled = "57014";

/**
 * Where reads of the catalogue run: on the replica while that has every change this process knows of, else on the
 * primary. All statements of one read run on one server, so none of them sees less than the one before.
 */
export class CatalogueReads {
  readonly counts = { primary: 0, replica: 0 };
  readonly #primary: ReadServer;
  readonly #replica: Replica | null;

  constructor(primary: ReadServer, replica: Replica | null) {
    this.#primary = primary;
    this.#replica = replica;
  }

  /** A read that the replica fails at is made again on the primary; `read` must do nothing else. */
  async run<T>(read: (server: ReadServer) => Promise<T>): Promise<T> {
    const replica = this.#replica?.current() ?? null;
    if (replica !== null) {
      this.counts.replica++;
      try {
        return await read(replica);
      } catch (error) {
        if (error instanceof ApiError || (error as { code?: string }).code === queryCanceled) throw error;
      }
    }
    this.counts.primary++;
    return read(this.#primary);
  }
}
