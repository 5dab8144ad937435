import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { money } from "@beatmarket/http/formats.ts";
import { type Command, Option } from "commander";
import pino from "pino";
import type { Config } from "../../config.ts";
import type { Queryable } from "../../database/connect.ts";
import {
  describeOrder,
  listAllOrders,
  type OrderDispute,
  type OrderWithBuyer,
} from "../../resources/orders/all-orders.ts";
import type { SettlementDependencies } from "../../resources/orders/checkout.ts";
import { isFullyRefunded, type OrderStatus, orderStatuses } from "../../resources/orders/order.ts";
import { openProviders } from "../../resources/orders/payments/open-providers.ts";
import { Sandbox } from "../../resources/orders/payments/sandbox/sandbox.ts";
import type { Refund } from "../../resources/orders/refunds/refund.ts";
import { requestRefund } from "../../resources/orders/refunds/request-refund.ts";
import { settle } from "../../resources/orders/settle.ts";
import { reading, readWholeNumber } from "../terminal/arguments.ts";
import { tableText, wholeSecondsUtc } from "../terminal/output.ts";
import { printResult, withDatabase } from "../terminal/run.ts";

const orderJson = (order: OrderWithBuyer) => ({
  id: order.id,
  status: order.status,
  buyer_email: order.buyer_email,
  beat: {
    id: order.beat_id,
    title: order.title,
    producer_id: order.producer_id,
    producer_name: order.producer_name,
  },
  license_type: order.license_type,
  amount: money(order.amount_cents),
  currency: order.currency,
  payment: {
    provider: order.payment_provider,
    method: order.payment_method,
    reference: order.payment_reference,
  },
  failure_reason: order.failure_reason,
  created_at: wholeSecondsUtc(order.created_at),
  completed_at: wholeSecondsUtc(order.completed_at),
  refunded_amount: money(order.refunded_cents),
  refunded_at: wholeSecondsUtc(order.refunded_at),
});

const refundJson = (refund: Refund) => ({
  id: refund.id,
  amount: money(refund.amount_cents),
  status: refund.status,
  origin: refund.origin,
  reference: refund.reference,
  failure_reason: refund.failure_reason,
  created_at: wholeSecondsUtc(refund.created_at),
  settled_at: wholeSecondsUtc(refund.settled_at),
});

const disputeJson = (dispute: OrderDispute) => ({
  reference: dispute.reference,
  amount: money(dispute.amount_cents),
  reason: dispute.reason,
  status: dispute.status,
  is_withdrawn: dispute.is_withdrawn,
  opened_at: wholeSecondsUtc(dispute.opened_at),
  closed_at: wholeSecondsUtc(dispute.closed_at),
});

const ordersText = (orders: readonly OrderWithBuyer[]): string =>
  tableText([
    ["ID", "CREATED", "STATUS", "BUYER", "LICENSE", "AMOUNT", "REFUNDED", "BEAT"],
    ...orders.map((order) => [
      String(order.id),
      wholeSecondsUtc(order.created_at) ?? "",
      order.status,
      order.buyer_email ?? "",
      order.license_type,
      formatAmount(order.amount_cents, order.currency),
      refundedText(order),
      `${order.beat_id} ${order.title}`,
    ]),
  ]);

function orderText(order: OrderWithBuyer, refunds: readonly Refund[], disputes: readonly OrderDispute[]): string {
  const parts = [
    tableText([
      ["order", `${order.id}, ${order.status}`],
      ...(order.failure_reason === null ? [] : [["failed", order.failure_reason]]),
      ["buyer", order.buyer_email ?? `user ${order.user_id}`],
      ["beat", `${order.beat_id} ${order.title} by ${order.producer_name} (user ${order.producer_id})`],
      ["license", order.license_type],
      ["amount", formatAmount(order.amount_cents, order.currency)],
      ["paid by", [order.payment_provider, order.payment_reference, order.payment_method].filter(Boolean).join(", ")],
      ["created", wholeSecondsUtc(order.created_at) ?? ""],
      ["completed", wholeSecondsUtc(order.completed_at) ?? ""],
      ["refunded", refundedText(order)],
    ]),
  ];
  if (refunds.length > 0)
    parts.push(
      tableText([
        ["REFUND", "CREATED", "STATUS", "AMOUNT", "ORIGIN", "REFERENCE", "WHY IT FAILED"],
        ...refunds.map((refund) => [
          String(refund.id),
          wholeSecondsUtc(refund.created_at) ?? "",
          refund.status,
          formatAmount(refund.amount_cents, order.currency),
          refund.origin,
          refund.reference ?? "",
          refund.failure_reason ?? "",
        ]),
      ]),
    );
  if (disputes.length > 0)
    parts.push(
      tableText([
        ["DISPUTE", "OPENED", "STATUS", "AMOUNT", "REASON", "WITHDRAWN"],
        ...disputes.map((dispute) => [
          dispute.reference,
          wholeSecondsUtc(dispute.opened_at) ?? "",
          dispute.status,
          formatAmount(dispute.amount_cents, order.currency),
          dispute.reason,
          dispute.is_withdrawn ? "yes" : "no",
        ]),
      ]),
    );
  return parts.join("\n\n");
}

function refundedText(order: OrderWithBuyer): string {
  if (order.refunded_at === null) return "";
  return isFullyRefunded(order) ? "in full" : formatAmount(order.refunded_cents, order.currency);
}

/** After this time, the command prints the reason why it waits. */
const slowMs = 2_000;
const maxCents = 2_147_483_647;

/** Parses `--amount`, and returns cents. */
function readAmount(text: string): number {
  const cents = Math.round(Number(text) * 100);
  if (!/^\d+(\.\d{1,2})?$/.test(text) || cents < 1 || cents > maxCents)
    throw new OperatorError("An amount is a number above 0 with at most two decimals, such as 12.50.");
  return cents;
}

/** `orders refund`. Exit status 1 if nothing was refunded, 0 if the refund succeeded or is pending. */
const refundOrder = (id: number, options: { amount?: number; reason?: string; json?: true }): Promise<void> =>
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
    const refundText = `Refund ${refund.id} of ${formatAmount(refund.amount_cents, order.currency)} for order ${id}`;
    if (options.json === true || refund.status !== "failed")
      printResult(options.json, json, `${refundText} ${outcomeText(refund, isFullyRefunded(after))}`);
    if (refund.status === "failed")
      throw new OperatorError(`${refundText} failed; the order is unchanged. ${refund.failure_reason}`);
  });

function outcomeText({ status, reference }: Refund, isFull: boolean): string {
  if (status === "succeeded")
    return isFull
      ? "succeeded. The order is refunded in full, so its license and its downloads have ended."
      : "succeeded.";
  return reference === null
    ? "is pending: the provider has not responded. A running server queries the state and tries again; `beatmarket orders show` shows the state."
    : "is pending: the provider has accepted it and is processing it. A running server queries the state; `beatmarket orders show` shows the state.";
}

async function checkoutOf(
  db: Queryable,
  { stripe, currency, commissionBasisPoints, seller, publicUrl }: Config,
): Promise<SettlementDependencies> {
  const { payments } = await openProviders(db, stripe, systemClock);
  return {
    db,
    clock: systemClock,
    log: pino({ level: "warn" }, { write: printWarning }),
    payments,
    currency,
    commissionBasisPoints,
    seller,
    publicUrl,
  };
}

/** Prints a line of the log as a sentence, so that the operator sees the provider's failure without a stack. */
function printWarning(line: string): void {
  const { err, msg } = JSON.parse(line);
  process.stderr.write(`warning: ${err?.message ?? msg}\n`);
}

const usualLimit = 20;
const maxLimit = 1_000;

/** `orders list`, `orders show`, `orders refund` and `orders confirm`. */
export function ordersCommand(orders: Command): void {
  orders
    .command("list")
    .description("List the newest orders.")
    .option("--email <address>", "only those of the account with this e-mail address")
    .addOption(new Option("--status <status>", "only those in this state").choices(orderStatuses))
    .option("--limit <number>", `the maximum number of orders, up to ${maxLimit}`, reading(readLimit), usualLimit)
    .option("--json", "print JSON")
    .action((options: { email?: string; status?: OrderStatus; limit: number; json?: true }) =>
      withDatabase(async ({ query: db }) => {
        const orders = await listAllOrders(db, options);
        printResult(options.json, { orders: orders.map(orderJson) }, ordersText(orders));
      }),
    );

  orders
    .command("show")
    .description("Show an order with its refunds and disputes.")
    .argument("<id>", "the order's id", reading(readWholeNumber))
    .option("--json", "print JSON")
    .action((id: number, options: { json?: true }) =>
      withDatabase(async ({ query: db }) => {
        const { order, refunds, disputes } = await describeOrder(db, id);
        printResult(
          options.json,
          { ...orderJson(order), refunds: refunds.map(refundJson), disputes: disputes.map(disputeJson) },
          orderText(order, refunds, disputes),
        );
      }),
    );

  orders
    .command("refund")
    .description("Refund the rest of an order, or a part. A full refund ends the license.")
    .argument("<id>", "the order's id", reading(readWholeNumber))
    .option(
      "--amount <number>",
      "the amount, in the order's currency, such as 12.50 (default: the rest)",
      reading(readAmount),
    )
    .option("--reason <sentence>", "why, for the buyer and the audit log")
    .option("--json", "print JSON")
    .action((id: number, options: { amount?: number; reason?: string; json?: true }) => refundOrder(id, options));

  orders
    .command("confirm")
    .description("Confirm a sandbox payment in place of its buyer, such as one with pm_card_authenticationRequired.")
    .argument("<id>", "the order's id", reading(readWholeNumber))
    .option("--json", "print JSON")
    .action((id: number, options: { json?: true }) =>
      withDatabase(async ({ query: db }, { currency, commissionBasisPoints, seller, publicUrl }) => {
        const sandbox = new Sandbox(db);
        if (!(await sandbox.approve(id)))
          throw new OperatorError(`Order ${id} has no payment in the sandbox that waits for its buyer.`);
        const log = pino({ level: "warn" }, pino.destination(2));
        const checkout: SettlementDependencies = {
          db,
          clock: systemClock,
          log,
          payments: [sandbox],
          currency,
          commissionBasisPoints,
          seller,
          publicUrl,
        };
        const { status } = await settle(checkout, id, { status: "succeeded", reference: null });
        printResult(options.json, { id, status }, `Order ${id} is ${status}.`);
      }),
    );
}

function readLimit(text: string): number {
  const limit = readWholeNumber(text);
  if (limit < 1 || limit > maxLimit) throw new OperatorError(`A limit is a whole number from 1 to ${maxLimit}.`);
  return limit;
}
