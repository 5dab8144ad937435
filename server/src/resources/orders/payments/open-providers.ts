import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { PaymentProvider } from "@beatmarket/payments/provider.ts";
import type { StripePayments, StripeSettings } from "@beatmarket/payments/stripe/stripe.ts";
import type { Queryable } from "../../../database/connect.ts";
import { Sandbox } from "./sandbox/sandbox.ts";

export interface OpenedProviders {
  /** The first provider charges new orders. The others settle orders that they charged before. */
  payments: readonly [PaymentProvider, ...PaymentProvider[]];
  /** Null without Stripe. Then the package of Stripe is not loaded. */
  stripe: StripePayments | null;
}

/** Returns the payment providers of this configuration: Stripe if it has a key, and always the sandbox. */
export async function openProviders(
  db: Queryable,
  settings: StripeSettings | null,
  clock: Clock,
): Promise<OpenedProviders> {
  const sandbox = new Sandbox(db, clock);
  if (settings === null) return { payments: [sandbox], stripe: null };
  const { StripePayments } = await import("@beatmarket/payments/stripe/stripe.ts");
  const stripe = new StripePayments(settings);
  return { payments: [stripe, sandbox], stripe };
}

/**
 * The mode in which new orders are charged. Only `live` moves money. `test` is the test mode of Stripe, which Stripe's
 * keys indicate.
 */
export type PaymentMode = "sandbox" | "test" | "live";

/** Returns the mode of the providers that `openProviders` would open. */
export function paymentMode(settings: Pick<StripeSettings, "secretKey"> | null): PaymentMode {
  if (settings === null) return "sandbox";
  return /^[sr]k_test_/.test(settings.secretKey) ? "test" : "live";
}
