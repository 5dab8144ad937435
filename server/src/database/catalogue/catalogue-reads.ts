import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Replica } from "@beatmarket/postgres/connection/replica.ts";
import type { ReadServer } from "../connect.ts";

/** The code of a statement that PostgreSQL cancelled at the time limit. The statement would take as long on the primary. */
const queryCanceled = "57014";

/**
 * Routes reads of the catalogue: to the replica while it has every change that this process knows, otherwise to the
 * primary. All statements of one read run on one server, so that no statement sees less than the one before it.
 */
export class CatalogueReads {
  readonly counts = { primary: 0, replica: 0 };
  readonly #primary: ReadServer;
  readonly #replica: Replica | null;

  constructor(primary: ReadServer, replica: Replica | null) {
    this.#primary = primary;
    this.#replica = replica;
  }

  /** Repeats a read on the primary if it fails on the replica. `read` must have no effects. */
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
