import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import type { Queryable } from "../../database/connect.ts";
import { type NewMail, queueMails } from "../mails/outbox.ts";
import { maskedIban } from "./iban.ts";
import type { Payout } from "./payout.ts";

/** Mails about payouts to their producers, if these have an address. At most some thousand at a time. */
export async function mailPayouts(
  transaction: Queryable,
  template: "payout-sent" | "payout-failed",
  payouts: readonly Payout[],
  { publicUrl, now }: { publicUrl: string; now: Date },
): Promise<void> {
  if (payouts.length === 0) return;
  const readers = await transaction
    .selectFrom("users")
    .select(["id", "email"])
    .where(
      "id",
      "in",
      payouts.map(({ user_id }) => user_id),
    )
    .where("email", "is not", null)
    .execute();
  const addresses = new Map(readers.map(({ id, email }) => [id, email]));
  const mails = payouts.flatMap((payout): NewMail[] => {
    const to = addresses.get(payout.user_id);
    if (to == null) return [];
    const facts = {
      payout: String(payout.id),
      amount: formatAmount(payout.amount_cents, payout.currency),
      account: payout.iban === null ? "your account at Stripe" : `the account ${maskedIban(payout.iban)}`,
      link: `${publicUrl}/portal/earnings`,
    };
    return [
      {
        ...{ userId: payout.user_id, to, template },
        facts: template === "payout-failed" ? { ...facts, reason: payout.failure_reason ?? "" } : facts,
      },
    ];
  });
  await queueMails(transaction, mails, now);
}
