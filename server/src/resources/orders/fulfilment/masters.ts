import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { StoredFile } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../../database/connect.ts";
import { attachMaster } from "../../beats/publishing/attach-files.ts";
import type { FrozenOrder } from "./queries.ts";

/** Makes recordings of beats that have none, where the service itself can. */
export interface MasterSource {
  /** Stores the recording of a beat; null for one that it cannot make, or that has another. */
  make(beatId: number): Promise<(StoredFile & { contentType: string }) | null>;
}

/** The master of an order: the frozen one, or else the one made now, which is frozen then. Null where there is none. */
export async function masterOf(
  db: Queryable,
  { id, beat_id, master_sha256 }: Pick<FrozenOrder, "id" | "beat_id" | "master_sha256">,
  source: MasterSource | null,
): Promise<string | null> {
  if (master_sha256 !== null || source === null) return master_sha256;
  const made = await source.make(beat_id);
  if (made === null) return null;
  return transact(db, async (transaction) => {
    await attachMaster(transaction, beat_id, made);
    // Of two requests at once the first one freezes it.
    await transaction
      .updateTable("orders")
      .set({ master_sha256: made.sha256 })
      .where("id", "=", id)
      .where("master_sha256", "is", null)
      .execute();
    return made.sha256;
  });
}
