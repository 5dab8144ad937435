import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { findLicense } from "../../licenses/certificate.ts";
import { isFullyRefunded } from "../order.ts";
import { type FileKind, filenameOf, type OrderFile } from "./fulfilment.ts";
import { findFrozenOrder, hasWithdrawnFiles, isGiven, kindsOfOrder } from "./queries.ts";
import { findRenditions } from "./renditions/renditions.ts";

/** The time of a file's first download. */
interface Download {
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

/**
 * The file of an order that a link leads to. Null when the order is refunded in full, its files are withdrawn, or it has
 * no such file.
 */
export async function findDownload(db: Queryable, orderId: number, kind: FileKind): Promise<OrderFile | null> {
  const order = await findFrozenOrder(db, orderId);
  if (order === undefined || isFullyRefunded(order) || order.status !== "completed" || !isGiven(order, kind))
    return null;
  const named = { kind, filename: filenameOf(order, kind) };
  if (kind === "license") {
    const license = await findLicense(db, orderId);
    return license === null ? null : { ...named, ...license.pdf, contentType: "application/pdf" };
  }
  if (kind === "stems") {
    const { stems_sha256: sha256, stems_bytes: bytes } = order;
    return sha256 === null || bytes === null ? null : { ...named, sha256, bytes, contentType: "application/zip" };
  }
  const { master_sha256: sha256, is_master_lossy: isLossy } = order;
  const renditions = sha256 === null ? [] : await findRenditions(db, { sha256, isLossy });
  const rendition = renditions.find((rendition) => rendition.kind === kind);
  return rendition === undefined ? null : { ...named, ...rendition };
}

/**
 * All files of an order. Null when the order is refunded in full or not completed; "unmade" while one of them still has
 * to be made.
 */
export async function findDownloads(db: Queryable, orderId: number): Promise<OrderFile[] | "unmade" | null> {
  const order = await findFrozenOrder(db, orderId);
  if (order === undefined || isFullyRefunded(order) || order.status !== "completed") return null;
  const files: OrderFile[] = [];
  for (const kind of kindsOfOrder(order, false)) {
    const file = await findDownload(db, orderId, kind);
    if (file === null) return "unmade";
    files.push(file);
  }
  return files;
}

/** Counts a download once for an order and file. */
export async function countDownload(db: Queryable, orderId: number, kind: FileKind, now: Date): Promise<void> {
  await db
    .insertInto("order_downloads")
    .values({ order_id: orderId, kind, downloaded_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Those of the orders whose files are revoked, because they were refunded in full or an operator withdrew the files. */
export async function findRevoked(db: Queryable, orderIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where(sql<boolean>`id = any(${orderIds}::bigint[])`)
    .where(sql<boolean>`(refunded_at is not null and refunded_cents = amount_cents or ${hasWithdrawnFiles})`)
    .execute();
  return rows.map(({ id }) => id);
}
