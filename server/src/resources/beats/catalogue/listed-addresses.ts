import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";

/** The number of ids in one file of addresses. The first id is `number * idsPerFile`, so a beat stays in its file. */
export const idsPerFile = 50_000;

export interface AddressFile {
  number: number;
  /** The number of its listed beats. */
  beats: number;
  lastChange: Date;
}

/** The numbers of the files that have a listed beat; with `only`, that file alone if it has one. */
export async function listAddressFiles(db: Queryable, only?: number): Promise<AddressFile[]> {
  let rows = db
    .selectFrom("beats")
    .select(({ fn }) => [
      sql<number>`(id / ${sql.lit(idsPerFile)})::integer`.as("number"),
      fn.countAll<number>().as("beats"),
      fn.max("updated_at").as("lastChange"),
    ])
    .where("is_listed", "=", true)
    .groupBy(sql`1`)
    .orderBy(sql`1`);
  if (only !== undefined) rows = rows.where("id", ">=", only * idsPerFile).where("id", "<", (only + 1) * idsPerFile);
  return rows.execute();
}

export interface ListedAddress {
  id: number;
  updated_at: Date;
}

/** The listed beats of one file by id, in chunks, so that memory holds one chunk at a time. */
export async function* readAddresses(
  db: Queryable,
  file: number,
  rowsPerChunk: number,
): AsyncGenerator<ListedAddress[], void> {
  let after = file * idsPerFile - 1;
  for (;;) {
    const rows = await db
      .selectFrom("beats")
      .select(["id", "updated_at"])
      .where("is_listed", "=", true)
      .where("id", ">", after)
      .where("id", "<", (file + 1) * idsPerFile)
      .orderBy("id")
      .limit(rowsPerChunk)
      .execute();
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerChunk) return;
    after = last.id;
  }
}
