/** The behaviour of a payment method in the sandbox. */
export interface SandboxMethod {
  /** `waits`: the payment is pending until the buyer approves or declines it on the payment's page. */
  payment: "succeeds" | "waits" | { declined: string };
  /** `settles-later` and `fails-later`: the refund is pending until the first query. */
  refund: "succeeds" | "settles-later" | "fails-later";
}

const succeeds: SandboxMethod = { payment: "succeeds", refund: "succeeds" };
const waits: SandboxMethod = { payment: "waits", refund: "succeeds" };
const declined = (reason: string): SandboxMethod => ({ payment: { declined: reason }, refund: "succeeds" });

/** All payment methods of the sandbox. They behave like Stripe's test cards (docs/api/orders.md, Payments). */
export const sandboxMethods: ReadonlyMap<string, SandboxMethod> = new Map([
  ["pm_card_visa", succeeds],
  ["pm_card_visa_debit", succeeds],
  ["pm_card_mastercard", succeeds],
  ["pm_card_mastercard_debit", succeeds],
  ["pm_card_amex", succeeds],
  ["pm_card_discover", succeeds],
  ["pm_card_diners", succeeds],
  ["pm_card_jcb", succeeds],
  ["pm_card_unionpay", succeeds],
  ["pm_card_authenticationRequired", waits],
  ["pm_card_threeDSecure2Required", waits],
  ["pm_card_visa_chargeDeclined", declined("Your card was declined.")],
  ["pm_card_visa_chargeDeclinedInsufficientFunds", declined("Your card has insufficient funds.")],
  ["pm_card_chargeDeclinedExpiredCard", declined("Your card has expired.")],
  ["pm_card_chargeDeclinedIncorrectCvc", declined("Your card's security code is incorrect.")],
  [
    "pm_card_chargeDeclinedProcessingError",
    declined("An error occurred while processing your card. Try again in a little bit."),
  ],
  ["pm_card_pendingRefund", { ...succeeds, refund: "settles-later" }],
  ["pm_card_refundFail", { ...succeeds, refund: "fails-later" }],
]);

/** The names of all methods, as "a, b or c". */
export const sandboxMethodList = [...sandboxMethods.keys()].join(", ").replace(/, ([^,]*)$/, " or $1");
