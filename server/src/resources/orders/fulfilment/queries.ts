import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import type { ChangedLimits } from "@beatmarket/license-terms/limits.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { findLicense } from "../../licenses/certificate.ts";
import { isReplaced } from "../../licenses/status/status-of-order.ts";
import { isFullyRefunded, type Order, orderColumns } from "../order.ts";
import { type FileKind, filenameOf, kindsOf, type OrderFile } from "./fulfilment.ts";
import { findRenditions } from "./renditions/renditions.ts";

/**
 * An order with values that were copied when it was placed, and that later changes do not affect. Of the fields below,
 * only `is_replaced` and `has_withdrawn_files` describe the present.
 */
export interface FrozenOrder extends Order {
  /** For orders older than this column, the current name. */
  buyer_name: string;
  /** Null if the beat had no recording, or if the order is older than this column. */
  master_sha256: string | null;
  /** If true, the order includes no WAV. Orders that are older than this column include a WAV of any recording. */
  is_master_lossy: boolean;
  stems_sha256: string | null;
  stems_bytes: number | null;
  /** Null means the first version of the terms. */
  terms_version: string | null;
  /** The limits that the producer had changed. Null if the limits of the terms apply. */
  license_limits: ChangedLimits | null;
  /** The id of the license that the order replaces, or null. */
  upgrades_license: string | null;
  /** Whether another order replaced the license of this order. */
  is_replaced: boolean;
  /** Whether an operator took the beat down and withdrew its files from buyers. The certificate stays available. */
  has_withdrawn_files: boolean;
}

/** A condition for rows of `orders`. */
const hasWithdrawnFiles = sql<boolean>`exists (
  select from takedowns where takedowns.beat_id = orders.beat_id and restored_at is null and withdraws_files)`;

/**
 * Returns a completed order of the account. Throws 404 if the account has no such order, and 409 if the order is not
 * completed.
 */
export async function findCompletedOrder(db: Queryable, userId: number, id: number): Promise<FrozenOrder> {
  const order = await selectFrozen(db).where("orders.id", "=", id).where("user_id", "=", userId).executeTakeFirst();
  if (order === undefined) throw notFound(`You have no order ${id}.`);
  if (order.status === "completed") return order;
  throw conflict(
    order.status === "pending"
      ? `Order ${id} is pending: its files are there once it is paid and its status is completed.`
      : `Order ${id} failed, so it has no files; nothing was bought. Place a new order.`,
  );
}

/** Returns an order of any buyer, in any state. */
export const findFrozenOrder = (db: Queryable, id: number): Promise<FrozenOrder | undefined> =>
  selectFrozen(db).where("orders.id", "=", id).executeTakeFirst();

const selectFrozen = (db: Queryable) =>
  db
    .selectFrom("orders")
    .innerJoin("users as buyer", "buyer.id", "orders.user_id")
    .leftJoin("stored_objects as stems", "stems.sha256", "orders.stems_sha256")
    .select([
      ...orderColumns,
      "orders.master_sha256",
      "orders.is_master_lossy",
      "orders.stems_sha256",
      "orders.terms_version",
      "orders.license_limits",
      "orders.upgrades_license",
      isReplaced.as("is_replaced"),
      "stems.bytes as stems_bytes",
      hasWithdrawnFiles.as("has_withdrawn_files"),
      sql<string>`coalesce(orders.buyer_name, buyer.display_name)`.as("buyer_name"),
    ])
    .$narrowType<Pick<FrozenOrder, "license_type" | "status" | "license_limits">>();

/**
 * Returns the kinds of an order's files. With `canMake`, a missing master counts as existing, because the server
 * creates it at the first request.
 */
export const kindsOfOrder = (order: FrozenOrder, canMake: boolean): FileKind[] => {
  const hasMaster = order.master_sha256 !== null || canMake;
  const has = {
    mp3: hasMaster,
    wav: hasMaster && !order.is_master_lossy,
    stems: order.stems_sha256 !== null,
    license: true,
  };
  return kindsOf[order.license_type].filter((kind) => has[kind] && mayDownload(order, kind));
};

/** Whether the buyer may download this kind of file. If the files are withdrawn, only the certificate. */
export const mayDownload = ({ has_withdrawn_files }: FrozenOrder, kind: FileKind): boolean =>
  kind === "license" || !has_withdrawn_files;

/** The first download of a file. */
interface Download {
  order_id: number;
  kind: FileKind;
  downloaded_at: Date;
}

/** Returns the downloads of these orders, oldest first. */
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
 * Returns the file to which a link leads. Returns null if the order is not completed or is refunded in full, if the
 * file is withdrawn, or if the order has no such file yet.
 */
export async function findDownload(db: Queryable, orderId: number, kind: FileKind): Promise<OrderFile | null> {
  const order = await findFrozenOrder(db, orderId);
  if (order === undefined || isFullyRefunded(order) || order.status !== "completed" || !mayDownload(order, kind))
    return null;
  const common = { kind, filename: filenameOf(order, kind) };
  if (kind === "license") {
    const license = await findLicense(db, orderId);
    return license === null ? null : { ...common, ...license.pdf, contentType: "application/pdf" };
  }
  if (kind === "stems") {
    const { stems_sha256: sha256, stems_bytes: bytes } = order;
    return sha256 === null || bytes === null ? null : { ...common, sha256, bytes, contentType: "application/zip" };
  }
  const { master_sha256: sha256, is_master_lossy: isLossy } = order;
  const renditions = sha256 === null ? [] : await findRenditions(db, { sha256, isLossy });
  const rendition = renditions.find((rendition) => rendition.kind === kind);
  return rendition === undefined ? null : { ...common, ...rendition };
}

/**
 * Returns all files of an order. Returns null if the order is refunded in full or not completed, and "unmade" while one
 * of the files does not exist yet.
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

/** Counts a download. Counts each file of an order at most once. */
export async function countDownload(db: Queryable, orderId: number, kind: FileKind, now: Date): Promise<void> {
  await db
    .insertInto("order_downloads")
    .values({ order_id: orderId, kind, downloaded_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns those orders whose files are revoked, by a full refund or by an operator. */
export async function findRevoked(db: Queryable, orderIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where(sql<boolean>`id = any(${orderIds}::bigint[])`)
    .where(sql<boolean>`(refunded_at is not null and refunded_cents = amount_cents or ${hasWithdrawnFiles})`)
    .execute();
  return rows.map(({ id }) => id);
}
