import type { Queryable } from "../../../database/connect.ts";
import type { FileKind } from "./delivery.ts";

/** When a file of an order was first downloaded. */
export interface Download {
  order_id: number;
  kind: FileKind;
  downloaded_at: Date;
}

/** The downloads of these orders, oldest first. */
export const listDownloads = (db: Queryable, orderIds: readonly number[]): Promise<Download[]> =>
  db
    .selectFrom("order_downloads")
    .select(["order_id", "kind", "downloaded_at"])
    .where("order_id", "in", orderIds.length === 0 ? [0] : [...orderIds])
    .orderBy("downloaded_at")
    .orderBy("kind")
    .$narrowType<{ kind: FileKind }>()
    .execute();
