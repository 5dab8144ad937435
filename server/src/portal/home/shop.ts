import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";

/** How the account uses the shop. */
export interface ShopUse {
  /** Whether it has bought a license. */
  buys: boolean;
  /** Whether it has a beat, including drafts. */
  produces: boolean;
  /** Whether it has sold a license. */
  sells: boolean;
}

export async function findShopUse(db: Queryable, userId: number): Promise<ShopUse> {
  const { rows } = await sql<ShopUse>`
    select exists (select from orders where user_id = ${userId} and status = 'completed') as buys,
      exists (select from beats where user_id = ${userId}) as produces,
      exists (select from orders where producer_id = ${userId} and status = 'completed') as sells`.execute(db);
  return rows[0] ?? { buys: false, produces: false, sells: false };
}
