import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { ChangedLimits } from "../../beats/licensing/limits.ts";
import { findLicense } from "../../licenses/certificate.ts";
import { isReplaced } from "../../licenses/status/status-of-order.ts";
import { isFullyRefunded, type Order, orderColumns } from "../order.ts";
import { type FileKind, filenameOf, kindsOf, type OrderFile } from "./fulfilment.ts";
import { findRenditions } from "./renditions/renditions.ts";

/** An order with the values that were frozen when it was placed. */
export interface FrozenOrder extends Order {
  buyer_name: string;
  /** Null: the beat had no recording here, or the order is older than fulfilments. */
  master_sha256: string | null;
  /** If true, the order includes no WAV. Orders from before this column include one of any recording. */
  is_master_lossy: boolean;
  stems_sha256: string | null;
  stems_bytes: number | null;
  /** Null: the first version of the terms. */
  terms_version: string | null;
  /** The limits that the producer had changed; null: those of the terms. */
  license_limits: ChangedLimits | null;
  /** The license that it replaces; null for none. */
  upgrades_license: string | null;
  /** Another order replaced its license. */
  is_replaced: boolean;
  /** An operator took the beat down, and its files from those who had bought them. The certificate stays. */
  has_withdrawn_files: boolean;
}

/** An expression for rows of `orders`. */
const hasWithdrawnFiles = sql<boolean>`exists (
  select from takedowns where takedowns.beat_id = orders.beat_id and restored_at is null and withdraws_files)`;

/** A completed order of the account. Throws 404 for one that it has not, 409 for one that is not completed. */
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

/** An order of any buyer, in any state. */
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

/** The kinds of files of an order, without making them. Demo beats without a recording get one on the first request. */
export const kindsOfOrder = (order: FrozenOrder, canMake: boolean): FileKind[] => {
  const hasMaster = order.master_sha256 !== null || canMake;
  const has = {
    mp3: hasMaster,
    wav: hasMaster && !order.is_master_lossy,
    stems: order.stems_sha256 !== null,
    license: true,
  };
  return kindsOf[order.license_type].filter((kind) => has[kind] && isGiven(order, kind));
};

/** Whether the buyer may have a file that the order brings. */
export const isGiven = ({ has_withdrawn_files }: FrozenOrder, kind: FileKind): boolean =>
  kind === "license" || !has_withdrawn_files;

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
