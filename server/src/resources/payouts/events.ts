import { money } from "@beatmarket/http/formats.ts";
import { maskedIban } from "@beatmarket/payments/iban.ts";
import Type from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { type NewMail, queueMails } from "../mails/outbox.ts";
import { emitEvents } from "../webhooks/outbox.ts";
import { type Payout, payoutStatuses } from "./payout.ts";

const time = Type.Union([Type.String({ format: "date-time" }), Type.Null()]);

/** `data` of the payout events. */
export const PayoutSchema = Type.Object(
  {
    id: Type.Integer(),
    amount: Type.Number({ description: "The amount of the payout, with at most two decimals." }),
    currency: Type.String({ description: "The currency, by ISO 4217." }),
    status: Type.Enum([...payoutStatuses]),
    destination: Type.Enum(["bank", "stripe"], {
      description: "The kind of account that receives the money: a bank account, or an account at Stripe.",
    }),
    failure_reason: Type.Union([Type.String(), Type.Null()], {
      description: "Why the payout failed. Null unless `status` is `failed`.",
    }),
    created_at: Type.String({ format: "date-time" }),
    sent_at: time,
    settled_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
      description: "When the payout arrived or failed. Null before that.",
    }),
  },
  { $id: "Payout", description: "A payment of the marketplace to a producer." },
);

export const payoutFields = (payout: Payout) => ({
  id: payout.id,
  amount: money(payout.amount_cents),
  currency: payout.currency,
  status: payout.status,
  destination: payout.stripe_account === null ? "bank" : "stripe",
  failure_reason: payout.failure_reason,
  created_at: payout.created_at,
  sent_at: payout.sent_at,
  settled_at: payout.settled_at,
});

/** Emits the new status of payouts to their producers, in the transaction that changes the status. */
export const emitPayouts = (
  transaction: Queryable,
  type: "payout.sent" | "payout.paid" | "payout.failed",
  payouts: readonly Payout[],
  moment: Date,
): Promise<void> =>
  emitEvents(
    transaction,
    payouts.map((payout) => ({ type, data: payoutFields(payout), at: moment, audience: [payout.user_id] })),
  );

/**
 * Queues mails about payouts to those producers who have an e-mail address. Takes at most a few thousand payouts at a
 * time.
 */
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
        userId: payout.user_id,
        to,
        template,
        facts: template === "payout-failed" ? { ...facts, reason: payout.failure_reason ?? "" } : facts,
      },
    ];
  });
  await queueMails(transaction, mails, now);
}
