import type { Queryable } from "../../database/connect.ts";
import type { Payout, PayoutStatus } from "./payout.ts";
import { payoutColumns, selectPayouts } from "./payout.ts";

export interface PayoutsFilter {
  status?: PayoutStatus | undefined;
  runId?: number | undefined;
  userId?: number | undefined;
  beforeId?: number | undefined;
  limit: number;
}

export type NamedPayout = Payout & { name: string };

/** Newest first. */
export async function listPayouts(db: Queryable, filter: PayoutsFilter): Promise<NamedPayout[]> {
  const { status, runId, userId, beforeId, limit } = filter;
  return db
    .selectFrom("payouts")
    .innerJoin("users", "users.id", "payouts.user_id")
    .select([...payoutColumns, "users.display_name as name"])
    .$narrowType<Payout>()
    .$if(status !== undefined, (query) => query.where("payouts.status", "=", status ?? ""))
    .$if(runId !== undefined, (query) => query.where("payouts.run_id", "=", runId ?? 0))
    .$if(userId !== undefined, (query) => query.where("payouts.user_id", "=", userId ?? 0))
    .$if(beforeId !== undefined, (query) => query.where("payouts.id", "<", beforeId ?? 0))
    .orderBy("payouts.id", "desc")
    .limit(limit)
    .execute();
}

/** The newest failed payout of a user, for a retry; undefined if `id` is not that payout. */
export const findFailed = (db: Queryable, id: number): Promise<Payout | undefined> =>
  selectPayouts(db).where("id", "=", id).where("status", "=", "failed").executeTakeFirst();
