import { maskedIban } from "@beatmarket/payments/iban.ts";
import type { Queryable } from "../../database/connect.ts";
import { type NewMail, queueMails } from "../mails/outbox.ts";
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
      amount: { cents: payout.amount_cents, currency: payout.currency },
      account:
        payout.iban === null
          ? { text: "mail.toStripe" as const }
          : { text: "mail.toAccount" as const, values: { iban: maskedIban(payout.iban) } },
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
