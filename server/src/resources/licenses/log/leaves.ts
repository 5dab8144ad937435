import { timestamp } from "@beatmarket/http/formats.ts";
import type { ChangedLimits } from "@beatmarket/license-terms/limits.ts";
import { termsSha256 } from "@beatmarket/license-terms/terms.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { findTerms } from "../terms.ts";
import { commitmentOf, encodeLeaf, type LeafKind, openingOf, type Sale } from "./entry.ts";

interface LeafRow {
  index: number;
  kind: LeafKind;
  beat_id: number;
  at: Date;
  salt: Buffer;
  /** The published text of a leaf whose fact the database has lost; null for every other leaf. */
  entry: Buffer | null;
  /** The index of the leaf of the order's sale. Null in that leaf itself, and if the sale has no leaf. */
  sold_index: number | null;
  license_type: string;
  terms_version: string | null;
  license_limits: ChangedLimits | null;
  created_at: Date;
  completed_at: Date | null;
}

/** The number of committed leaves in the database. */
export async function leafCount(db: Queryable): Promise<number> {
  const last = await db.selectFrom("license_log").select("index").orderBy("index", "desc").limit(1).executeTakeFirst();
  return last === undefined ? 0 : last.index + 1;
}

/** The entries of at most `count` leaves from the index `from` on, in sequence. */
export async function readStoredEntries(db: Queryable, from: number, count: number): Promise<Buffer[]> {
  const { rows } = await sql<LeafRow>`
    select leaf.index, leaf.kind, leaf.beat_id, leaf.at, leaf.salt, leaf.entry, sale.index as sold_index,
           orders.license_type, orders.terms_version, orders.license_limits, orders.created_at, orders.completed_at
    from license_log as leaf
    left join orders on orders.id = leaf.order_id
    left join license_log as sale on sale.order_id = leaf.order_id and sale.kind = 'sold' and leaf.kind <> 'sold'
    where leaf.index >= ${from} order by leaf.index limit ${count}`.execute(db);
  return Promise.all(rows.map((row) => entryOf(db, row)));
}

async function entryOf(db: Queryable, row: LeafRow): Promise<Buffer> {
  if (row.entry !== null) return row.entry;
  const leaf = { v: 1 as const, kind: row.kind, time: timestamp(row.at), beat: row.beat_id };
  const exclusive = row.license_type === "exclusive";
  if (row.kind === "sold") {
    const commitment = commitmentOf(openingOf(await saleOf(db, row)), row.salt);
    return encodeLeaf({ ...leaf, exclusive, placed: timestamp(row.created_at), commitment });
  }
  if (row.kind === "refunded" || row.kind === "reinstated")
    return encodeLeaf({ ...leaf, exclusive, of: row.sold_index });
  return encodeLeaf(leaf);
}

const saleOf = async (db: Queryable, row: LeafRow): Promise<Sale> => ({
  beatId: row.beat_id,
  type: row.license_type,
  termsSha256: termsSha256(await findTerms(db, row.terms_version, row.license_type, row.license_limits)),
  purchasedAt: row.completed_at ?? row.created_at,
});

export interface SaleLeaf {
  index: number;
  salt: Buffer;
  opening: string;
}

/**
 * The index of a sale in the log, with salt and opening of the leaf. Null: the sale is older than the log, or its leaf
 * was lost.
 */
export async function findSaleLeaf(db: Queryable, orderId: number): Promise<SaleLeaf | null> {
  const row = await db
    .selectFrom("license_log")
    .innerJoin("orders", "orders.id", "license_log.order_id")
    .select(["license_log.index", "license_log.beat_id", "license_log.salt"])
    .select(["orders.license_type", "orders.terms_version", "orders.license_limits"])
    .select(["orders.created_at", "orders.completed_at"])
    .where("license_log.order_id", "=", orderId)
    .where("license_log.kind", "=", "sold")
    .executeTakeFirst();
  if (row === undefined) return null;
  const opening = openingOf(await saleOf(db, row as unknown as LeafRow));
  return { index: row.index, salt: row.salt, opening };
}

/**
 * The numbers of licenses of a beat that were sold before and after a sale. Refunded licenses count, and sales that the
 * database has lost do not.
 */
export interface SalesAround {
  before: number;
  after: number;
}

/** Counts the sales of the same beat before and after the sale of an order; null if that sale is not in the log. */
export async function countSalesAround(db: Queryable, orderId: number): Promise<SalesAround | null> {
  const { rows } = await sql<SalesAround>`
    select (${countSoldWhere(sql`sold.index < sale.index`)})::int as before, (${countSoldWhere(sql`sold.index > sale.index`)})::int as after
    from license_log sale where sale.order_id = ${orderId} and sale.kind = 'sold'`.execute(db);
  return rows[0] ?? null;
}

const countSoldWhere = (place: RawBuilder<unknown>) => sql`
  select count(*) from license_log sold where sold.beat_id = sale.beat_id and sold.kind = 'sold' and sold.entry is null and ${place}`;

/** The numbers of sold licenses of a beat. */
export interface BeatSales {
  sold: number;
  /** The sales before and after the exclusive license; null if it is not sold, or if its sale is not in the log. */
  aroundExclusive: SalesAround | null;
}

export async function countSold(db: Queryable, beatId: number): Promise<BeatSales> {
  const [{ sold }, exclusive] = await Promise.all([
    db
      .selectFrom("license_log")
      .select(({ fn }) => fn.countAll<number>().as("sold"))
      .where("beat_id", "=", beatId)
      .where("kind", "=", "sold")
      .where("entry", "is", null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom("beats")
      .select("exclusive_order_id")
      .where("id", "=", beatId)
      .where("exclusive_state", "=", "sold")
      .executeTakeFirst(),
  ]);
  const orderId = exclusive?.exclusive_order_id ?? null;
  return { sold: Number(sold), aroundExclusive: orderId === null ? null : await countSalesAround(db, orderId) };
}
