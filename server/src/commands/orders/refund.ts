import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import pino from "pino";
import type { Config } from "../../config.ts";
import type { Queryable } from "../../database/connect.ts";
import { describeOrder } from "../../resources/orders/all-orders.ts";
import type { Checkout } from "../../resources/orders/checkout.ts";
import { isFullyRefunded } from "../../resources/orders/order.ts";
import { openProviders } from "../../resources/orders/payments/open-providers.ts";
import type { Refund } from "../../resources/orders/refunds/refund.ts";
import { requestRefund } from "../../resources/orders/refunds/request-refund.ts";
import { printResult, withDatabase } from "../terminal/run.ts";
import { refundJson } from "./order-text.ts";

/** After so long the command says what it waits for. */
const slowMs = 2_000;
const maxCents = 2_147_483_647;

/** `--amount` in cents. */
export function readAmount(text: string): number {
  const cents = Math.round(Number(text) * 100);
  if (!/^\d+(\.\d{1,2})?$/.test(text) || cents < 1 || cents > maxCents)
    throw new OperatorError("An amount is a number above 0 with at most two decimals, such as 12.50.");
  return cents;
}

/** `orders refund`. Exit status 1 when nothing was refunded, 0 when it was or is under way. */
export const refundOrder = (id: number, options: { amount?: number; reason?: string; json?: true }): Promise<void> =>
  withDatabase(async ({ query: db }, config) => {
    const { order } = await describeOrder(db, id);
    const checkout = await checkoutOf(db, config);
    if (!checkout.payments.some(({ name }) => name === order.payment_provider))
      throw new OperatorError(
        `Order ${id} was paid through ${order.payment_provider}, which is not configured here: set STRIPE_SECRET_KEY as the server has it, and repeat the command.`,
      );
    const slow = setTimeout(() => {
      process.stderr.write(`Waiting for ${order.payment_provider} to refund order ${id} …\n`);
    }, slowMs);
    const refund = await requestRefund(checkout, id, {
      amountCents: options.amount ?? null,
      origin: "operator",
      reason: options.reason,
    }).finally(() => clearTimeout(slow));
    const { order: after } = await describeOrder(db, id);
    const json = { order_id: id, currency: order.currency, ...refundJson(refund), is_full: isFullyRefunded(after) };
    const what = `Refund ${refund.id} of ${formatAmount(refund.amount_cents, order.currency)} for order ${id}`;
    if (options.json === true || refund.status !== "failed")
      printResult(options.json, json, `${what} ${outcomeText(refund, isFullyRefunded(after))}`);
    if (refund.status === "failed")
      throw new OperatorError(`${what} failed; the order is as it was. ${refund.failure_reason}`);
  });

function outcomeText({ status, reference }: Refund, isFull: boolean): string {
  if (status === "succeeded")
    return isFull ? "succeeded. It is refunded in full: its license and its downloads have ended." : "succeeded.";
  return reference === null
    ? "is pending: the provider has not answered. A running server finds out what became of it and tries again; `beatmarket orders show` tells."
    : "is pending: the provider has taken it and its bank is at work. A running server follows it; `beatmarket orders show` tells.";
}

async function checkoutOf(db: Queryable, { stripe, currency, publicUrl }: Config): Promise<Checkout> {
  const { payments } = await openProviders(db, stripe);
  return {
    db,
    clock: systemClock,
    log: pino({ level: "warn" }, { write: printWarning }),
    payments,
    currency,
    publicUrl,
  };
}

/** A line of the log as a sentence: the operator sees why the provider could not be asked, and no stack. */
function printWarning(line: string): void {
  const { err, msg } = JSON.parse(line);
  process.stderr.write(`warning: ${err?.message ?? msg}\n`);
}
