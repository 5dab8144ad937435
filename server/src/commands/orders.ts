import type { Command } from "commander";
import pino from "pino";
import { systemClock } from "../clock.ts";
import { OperatorError } from "../errors.ts";
import type { Checkout } from "../resources/orders/checkout/checkout.ts";
import { settle } from "../resources/orders/checkout/settle.ts";
import { Sandbox } from "../resources/orders/payments/sandbox.ts";
import { readId, reading } from "./terminal/arguments.ts";
import { printResult, withDatabase } from "./terminal/run.ts";

/** `orders confirm`: confirms a sandbox payment, as the buyer's bank would. */
export function ordersCommand(program: Command): void {
  const orders = program.command("orders").description("Play the buyer's bank for orders in the payment sandbox.");

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
