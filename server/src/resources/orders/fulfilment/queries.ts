import { conflict, notFound } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import type { ChangedLimits } from "../../beats/licensing/limits.ts";
import { isReplaced } from "../../licenses/status/status-of-order.ts";
import { type Order, orderColumns } from "../order.ts";
import { type FileKind, kindsOf } from "./fulfilment.ts";

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
export const hasWithdrawnFiles = sql<boolean>`exists (
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
