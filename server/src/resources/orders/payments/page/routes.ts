import type { ConcurrencyLimiter } from "@beatmarket/http/admission/concurrency-limiter.ts";
import { privatePageHeaders } from "@beatmarket/http/html-page.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import { inPaymentSpan } from "../../checkout/payment-span.ts";
import { type Checkout, paymentOf, requireProvider } from "../../checkout.ts";
import { type PaidOrder, paymentPagePath } from "../../order.ts";
import { findOrderByPaymentKey } from "../../queries.ts";
import { settle } from "../../settle.ts";
import { Sandbox } from "../sandbox/sandbox.ts";
import { type BuyerAction, paymentPage, unknownPage } from "./page.ts";

/** How often one payment's page asks the provider; between that it shows what is known. */
const queryRate = { burst: 5, perSecond: 0.5 };
/** A form of one field. */
const maxBodyBytes = 200;

export interface PaymentPageParts {
  checkout: Checkout;
  concurrency: Pick<ConcurrencyLimiter, "run">;
}

/**
 * `/pay/{payment_key}` (docs/api/orders.md, 3-D Secure): shows a payment to everybody with its address, and finishes it. GET
 * asks the provider, which is where a bank's page sends the buyer back to; POST plays the bank of the sandbox.
 */
export function paymentPageRoutes({ checkout, concurrency }: PaymentPageParts): Route[] {
  const { db, clock } = checkout;
  const queries = new TokenBuckets(clock, queryRate);
  const path = paymentPagePath(":payment_key");
  const find = (key: string | undefined): Promise<PaidOrder | undefined> =>
    // No statement for what no key looks like.
    key !== undefined && /^order_\d{1,19}_[\w-]{12}$/.test(key)
      ? concurrency.run("media", () => findOrderByPaymentKey(db, key))
      : Promise.resolve(undefined);
  return [
    openRoute(
      path,
      async ({ params }) => {
        const order = await find(params.payment_key);
        if (order === undefined) return unknownPage();
        if (order.status !== "pending" || !queries.take(order.payment_key)) return paymentPage(order, waiting);
        const { settled, action } = await inPaymentSpan(order, () => look(checkout, order));
        return paymentPage(settled, action);
      },
      // Its look-up waits in a lane that no call with a key needs, and the provider holds no permit at all.
      { isVital: true },
    ),
    openRoute(
      path,
      async ({ params, body }) => {
        const order = await find(params.payment_key);
        if (order === undefined) return unknownPage();
        const decision = new URLSearchParams(body?.toString("latin1")).get("decision");
        if (order.status === "pending") await inPaymentSpan(order, () => decide(checkout, order, decision));
        return { status: 303, headers: { ...privatePageHeaders, location: paymentPagePath(order.payment_key) } };
      },
      { method: "POST", bodyLimits: { maxBytes: maxBodyBytes } },
    ),
  ];
}

const waiting: BuyerAction = { kind: "wait" };

/** Settles an order by what the provider says now, and says what is left to do. */
async function look(checkout: Checkout, order: PaidOrder): Promise<{ settled: PaidOrder; action: BuyerAction }> {
  try {
    const provider = requireProvider(checkout, order);
    const state = await provider.query(paymentOf(order));
    if (state === null) return { settled: order, action: waiting };
    const settled = await settle(checkout, order.id, state);
    if (state.status !== "pending" || state.redirectUrl === null) return { settled, action: waiting };
    return {
      settled,
      action: provider.name === "sandbox" ? { kind: "sandbox" } : { kind: "bank", url: state.redirectUrl },
    };
  } catch (error) {
    checkout.log.warn({ err: error, orderId: order.id }, "the payment's page could not ask the provider");
    return { settled: order, action: waiting };
  }
}

/** What the buyer decides at the sandbox's bank; nothing for another provider's payment. */
async function decide(checkout: Checkout, order: PaidOrder, decision: string | null): Promise<void> {
  const provider = requireProvider(checkout, order);
  if (!(provider instanceof Sandbox)) return;
  if (decision === "approve") await provider.approve(order.id);
  if (decision === "decline") await provider.decline(order.id);
  const state = await provider.query(paymentOf(order));
  if (state !== null) await settle(checkout, order.id, state);
}
