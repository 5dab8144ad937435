import { sql } from "kysely";
import type { Queryable } from "../../../database/connect.ts";
import { freeLicense } from "./prices.ts";

/** A beat with a free unlimited or exclusive license from an earlier release. Nobody can buy that license now. */
export interface FreeLicense {
  beat_id: number;
  title: string;
  license_type: string;
  /** The source of an import; null for a beat that was published here. */
  source: string | null;
}

const maxListed = 1_000;

/** The first such beats by id, without sold ones. Reads all beats. */
export async function findFreeLicenses(db: Queryable): Promise<FreeLicense[]> {
  const beats = await withFreeLicenses(db)
    .select(["id", "title", "source"])
    .select(["price_cents", "premium_price_cents", "unlimited_price_cents", "exclusive_price_cents"])
    .orderBy("id")
    .limit(maxListed)
    .execute();
  return beats.flatMap(({ id, title, source, ...beat }) => {
    const license_type = freeLicense(beat);
    return license_type === undefined ? [] : [{ beat_id: id, title, license_type, source }];
  });
}

/** The number of beats that `findFreeLicenses` would list without its limit. Reads all beats. */
export async function countFreeLicenses(db: Queryable): Promise<number> {
  const { beats } = await withFreeLicenses(db)
    .select(({ fn }) => fn.countAll<number>().as("beats"))
    .executeTakeFirstOrThrow();
  return Number(beats);
}

const withFreeLicenses = (db: Queryable) =>
  db
    .selectFrom("beats")
    .where(sql<boolean>`0 in (unlimited_price_cents, exclusive_price_cents)`)
    .where("exclusive_state", "<>", "sold");
