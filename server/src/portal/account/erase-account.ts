import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import type { PublishingContext } from "../../resources/beats/publishing/context.ts";
import { type Erasure, eraseUser } from "../../resources/personal-data/erase.ts";
import { deleteAccount } from "../auth/account-rows.ts";

/**
 * Erases an account in the portal and the marketplace, in one transaction (docs/privacy.md). Returns its address in the
 * portal; null if it had none. Throws 409 like `eraseUser`.
 */
export const eraseAccount = (context: PublishingContext, erasure: Erasure): Promise<string | null> =>
  transact(context.db, async (transaction) => {
    const email = await deleteAccount(transaction, erasure.userId);
    await eraseUser({ ...context, db: transaction }, erasure);
    return email;
  });
