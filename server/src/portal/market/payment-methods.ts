import { type SandboxMethod, sandboxMethods } from "../../resources/orders/payments/sandbox/methods.ts";

/** The sandbox's payment methods, and what each does. */
export const testMethods = Array.from(sandboxMethods, ([id, method]) => ({ id, does: whatItDoes(method) }));

function whatItDoes({ payment, refund }: SandboxMethod): string {
  if (payment === "waits") return "Waits until you approve or decline it on the payment's page.";
  if (payment !== "succeeds") return `Fails: ${payment.declined}`;
  if (refund === "settles-later") return "Succeeds at once. A refund of it takes a while.";
  if (refund === "fails-later") return "Succeeds at once. A refund of it fails after a while.";
  return "Succeeds at once.";
}
