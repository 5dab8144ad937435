/** The outcome of a payment with one of Stripe's test payment methods (https://docs.stripe.com/testing). */
export interface TestMethod {
  payment: "succeeds" | "needs-authentication" | "processes" | { code: string; declineCode: string; message: string };
  refund?: "pending" | "fails-later";
  isDisputed?: true;
  customer?: string;
}

const declined = (declineCode: string, message: string, code = "card_declined"): TestMethod => ({
  payment: { code, declineCode, message },
});

export const testMethods: ReadonlyMap<string, TestMethod> = new Map<string, TestMethod>([
  ["pm_card_visa", { payment: "succeeds" }],
  ["pm_card_mastercard", { payment: "succeeds" }],
  ["pm_card_authenticationRequired", { payment: "needs-authentication" }],
  ["pm_card_threeDSecure2Required", { payment: "needs-authentication" }],
  ["pm_usBankAccount_processing", { payment: "processes" }],
  ["pm_card_visa_chargeDeclined", declined("generic_decline", "Your card was declined.")],
  ["pm_card_visa_chargeDeclinedInsufficientFunds", declined("insufficient_funds", "Your card has insufficient funds.")],
  ["pm_card_chargeDeclinedExpiredCard", declined("expired_card", "Your card has expired.", "expired_card")],
  ["pm_card_pendingRefund", { payment: "succeeds", refund: "pending" }],
  ["pm_card_refundFail", { payment: "succeeds", refund: "fails-later" }],
  ["pm_card_createDispute", { payment: "succeeds", isDisputed: true }],
  // Not one of Stripe's test methods: a method that was saved with a customer.
  ["pm_attached", { payment: "succeeds", customer: "cus_1" }],
]);
