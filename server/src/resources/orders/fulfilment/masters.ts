import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { StoredFile } from "@beatmarket/storage/stored-objects.ts";
import type { Queryable } from "../../../database/connect.ts";
import { attachMaster } from "../../beats/publishing/attach-files.ts";
import type { FrozenOrder } from "./queries.ts";

/** Makes recordings for beats without one, where the service can make them itself. */
export interface MasterSource {
  /** Stores the recording of a beat. Null for a beat whose recording it cannot make, or that has another. */
  make(beatId: number): Promise<(StoredFile & { contentType: string }) | null>;
}

/** The master of an order: the frozen one, or one that is made and frozen now. Null where there is none. */
export async function masterOf(
  db: Queryable,
  { id, beat_id, master_sha256 }: Pick<FrozenOrder, "id" | "beat_id" | "master_sha256">,
  source: MasterSource | null,
): Promise<string | null> {
  if (master_sha256 !== null || source === null) return master_sha256;
  const master = await source.make(beat_id);
  if (master === null) return null;
  return transact(db, async (transaction) => {
    await attachMaster(transaction, beat_id, master);
    // Of two concurrent requests the first freezes it.
    await transaction
      .updateTable("orders")
      .set({ master_sha256: master.sha256 })
      .where("id", "=", id)
      .where("master_sha256", "is", null)
      .execute();
    return master.sha256;
  });
}
