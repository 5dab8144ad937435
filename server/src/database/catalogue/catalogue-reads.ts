import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { ReadServer } from "../connect.ts";
import type { Replica } from "./replica.ts";

/** PostgreSQL cancelled the statement at its time limit. It would take as long on the primary. */
const queryCanceled = "57014";

/**
 * Routes reads of the catalogue: to the replica while it has every change this process knows of, otherwise to the
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

  /** Repeats a read that fails on the replica on the primary. `read` must have no effects. */
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
