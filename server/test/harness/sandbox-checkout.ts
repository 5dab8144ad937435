import type { Clock } from "@beatmarket/foundation/clock.ts";
import pino from "pino";
import type { Queryable } from "../../src/database/connect.ts";
import type { CheckoutDependencies } from "../../src/resources/orders/checkout.ts";
import { Sandbox } from "../../src/resources/orders/payments/sandbox/sandbox.ts";

/** Orders in EUR in the payment sandbox, with a commission of 10 % and no invoices. */
export const sandboxCheckout = (db: Queryable, clock: Clock): CheckoutDependencies => ({
  db,
  clock,
  log: pino({ level: "silent" }),
  payments: [new Sandbox(db, clock)],
  currency: "EUR",
  commissionBasisPoints: 1_000,
  seller: null,
  publicUrl: "https://beats.example",
  termsVersion: "1",
});
