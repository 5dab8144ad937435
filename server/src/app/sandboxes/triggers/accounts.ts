import { conflict } from "@beatmarket/foundation/errors.ts";
import { randomBytes } from "../../../access/random-source.ts";
import { placeOrder } from "../../../resources/orders/checkout/place-order.ts";
import { selectPayouts } from "../../../resources/payouts/payout.ts";
import { findPayoutAccount, saveBankAccount } from "../../../resources/payouts/payout-accounts.ts";
import { runPayouts } from "../../../resources/payouts/run-payouts.ts";
import { confirmFailed, confirmPaid } from "../../../resources/payouts/settle.ts";
import type { TestEventCall } from "../../../resources/sandboxes/control.ts";
import { createAccount, findOrCreateAccount } from "../../../resources/users/accounts.ts";
import { updateProfile } from "../../../resources/users/profile.ts";
import type { EventType } from "../../../resources/webhooks/event-types.ts";
import { simulatedBankAccount } from "../seed-sandbox.ts";
import { type Chain, nowOf, type TriggerParts } from "./parts.ts";

/** A run pays out the sales before a moment. A moment this long after now includes the sale that was just made. */
const justSoldMs = 1_000;

/** Events of accounts, and of the payouts to the account. */
export const accountChains = {
  "user.registered": async ({ checkout: { db } }) => {
    const email = `listener-${randomBytes(8).toString("hex")}@test-mode.invalid`;
    const { id } = await createAccount(db, { email, name: "Test listener" });
    return { userId: id };
  },
  "user.updated": async (parts, { caller, requestId }) => {
    const { db } = parts.checkout;
    const producer = await db
      .selectFrom("users")
      .select("id")
      .where("is_producer", "=", true)
      .where("id", "<>", caller.userId)
      .orderBy("id")
      .executeTakeFirst();
    if (producer === undefined) throw conflict("There is no other producer in test mode.");
    const now = nowOf(parts);
    await updateProfile(db, { userId: producer.id, requestId, now }, { location: `Test event, ${now.toISOString()}` });
    return { userId: producer.id };
  },
  "payout.sent": async (parts, call) => ({ payoutId: await payOut(parts, call) }),
  "payout.paid": async (parts, call) => {
    const payoutId = await payOut(parts, call);
    await confirmPaid(parts.checkout.db, { ids: [payoutId] }, nowOf(parts));
    return { payoutId };
  },
  "payout.failed": async (parts, call) => {
    const { db, publicUrl } = parts.checkout;
    const payoutId = await payOut(parts, call);
    await confirmFailed(db, payoutId, "The account is closed (AC04).", { publicUrl, now: nowOf(parts) });
    return { payoutId };
  },
} as const satisfies Partial<Record<EventType, Chain>>;

/** Sells a beat of the account, and pays the account out without the days of clearing. Returns the id of the payout. */
async function payOut(parts: TriggerParts, { caller: { userId }, requestId }: TestEventCall): Promise<number> {
  const { checkout } = parts;
  const { db, publicUrl, currency } = checkout;
  const beat = await db
    .selectFrom("beats")
    .select("id")
    .where("is_listed", "=", true)
    .where("user_id", "=", userId)
    .orderBy("id")
    .executeTakeFirst();
  if (beat === undefined)
    throw conflict(
      "You have no beat on sale in test mode, so there is nothing to pay out. Cause beat.created, and wait for its event.",
    );
  const buyer = await findOrCreateAccount(db, { email: "buyer@test-mode.invalid", name: "Test buyer" });
  const order = { userId: buyer.id, beatId: beat.id, licenseType: "basic", paymentMethod: "pm_card_visa" } as const;
  await placeOrder(checkout, { ...order, run: null, requestId });
  const account = await findPayoutAccount(db, userId);
  const now = nowOf(parts);
  if (account === null || account.iban === null || account.blocked_reason !== null)
    await saveBankAccount(db, userId, simulatedBankAccount(userId), { author: "operator", now });
  const cleared = new Date(now.getTime() + justSoldMs);
  const sending = { db, now: () => nowOf(parts), publicUrl, transfers: null };
  const { run } = await runPayouts(sending, { method: "csv", currency, cleared, onlyUserId: userId });
  const payout = await selectPayouts(db).where("run_id", "=", run.id).executeTakeFirst();
  if (payout === undefined) throw conflict("Nothing is due to you in test mode: your refunds exceed your sales.");
  return payout.id;
}
