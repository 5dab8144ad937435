import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { type Command, Option } from "commander";
import pino from "pino";
import { describeOrder, listAllOrders } from "../../resources/orders/all-orders.ts";
import type { Checkout } from "../../resources/orders/checkout.ts";
import { type OrderStatus, orderStatuses } from "../../resources/orders/order.ts";
import { Sandbox } from "../../resources/orders/payments/sandbox/sandbox.ts";
import { settle } from "../../resources/orders/settle.ts";
import { readId, reading } from "../terminal/arguments.ts";
import { printResult, withDatabase } from "../terminal/run.ts";
import { disputeJson, orderJson, ordersText, orderText, refundJson } from "./order-text.ts";
import { readAmount, refundOrder } from "./refund.ts";

const usualLimit = 20;
const maxLimit = 1_000;

/** `orders list`, `orders show`, `orders refund` and `orders confirm`. */
export function ordersCommand(program: Command): void {
  const orders = program.command("orders").description("Look at orders, refund them, and play the sandbox's bank.");

  orders
    .command("list")
    .description("List the newest orders.")
    .option("--email <address>", "only those of the account with this e-mail address")
    .addOption(new Option("--status <status>", "only those in this state").choices(orderStatuses))
    .option("--limit <number>", `how many, at most ${maxLimit}`, reading(readLimit), usualLimit)
    .option("--json", "print JSON")
    .action((options: { email?: string; status?: OrderStatus; limit: number; json?: true }) =>
      withDatabase(async ({ query: db }) => {
        const found = await listAllOrders(db, options);
        printResult(options.json, { orders: found.map(orderJson) }, ordersText(found));
      }),
    );

  orders
    .command("show")
    .description("Show an order with its refunds and disputes.")
    .argument("<id>", "the order's id", reading(readId))
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
    .description("Pay an order back: all that is left of it, or a part. In full, its license ends.")
    .argument("<id>", "the order's id", reading(readId))
    .option("--amount <number>", "a part, in the order's currency, such as 12.50", reading(readAmount))
    .option("--reason <sentence>", "why, for the buyer and the audit log")
    .option("--json", "print JSON")
    .action((id: number, options: { amount?: number; reason?: string; json?: true }) => refundOrder(id, options));

  orders
    .command("confirm")
    .description("Confirm a payment that waits for its buyer, such as one with pm_card_authenticationRequired.")
    .argument("<id>", "the order's id", reading(readId))
    .option("--json", "print JSON")
    .action((id: number, options: { json?: true }) =>
      withDatabase(async ({ query: db }, { currency, publicUrl }) => {
        const sandbox = new Sandbox(db);
        if (!(await sandbox.approve(id)))
          throw new OperatorError(`Order ${id} has no payment in the sandbox that waits for its buyer.`);
        const log = pino({ level: "warn" }, pino.destination(2));
        const checkout: Checkout = { db, clock: systemClock, log, payments: [sandbox], currency, publicUrl };
        const { status } = await settle(checkout, id, { status: "succeeded", reference: null });
        printResult(options.json, { id, status }, `Order ${id} is ${status}.`);
      }),
    );
}

function readLimit(text: string): number {
  const limit = readId(text);
  if (limit < 1 || limit > maxLimit) throw new OperatorError(`A limit is a whole number from 1 to ${maxLimit}.`);
  return limit;
}
