import { randomUUID } from "node:crypto";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import pino from "pino";
import { IdempotencyKeys } from "../../src/access/idempotency.ts";
import { CatalogueVersion } from "../../src/database/catalogue/catalogue-version.ts";
import type { Queryable } from "../../src/database/connect.ts";
import { placeOrder } from "../../src/resources/orders/checkout/place-order.ts";
import { Reconciler } from "../../src/resources/orders/checkout/reconciler.ts";
import { Sandbox } from "../../src/resources/orders/payments/sandbox/sandbox.ts";
import { testSeller } from "../harness/seller.ts";

export interface Purchase {
  userId: number;
  key: string;
  body: { beat_id: number; payment_method: string; license_type: "basic" | "premium" | "unlimited" | "exclusive" };
}

/** Places an order like POST /orders, or settles open orders. */
export async function runOrderWork(db: Queryable, work: Purchase | "reconcile"): Promise<void> {
  const checkout = {
    db,
    clock: systemClock,
    log: pino({ level: "silent" }),
    payments: [new Sandbox(db)] as const,
    currency: "USD",
    commissionBasisPoints: 0,
    seller: testSeller,
    publicUrl: "https://beats.example",
    termsVersion: "1",
  };
  if (work === "reconcile") return new Reconciler(checkout, new CatalogueVersion()).run();
  const { userId, key, body } = work;
  await new IdempotencyKeys(db, systemClock).once(
    { userId, key, operation: "createOrder", input: { params: {}, body } },
    async (run) => {
      await placeOrder(checkout, {
        userId,
        beatId: body.beat_id,
        licenseType: body.license_type,
        paymentMethod: body.payment_method,
        run,
        requestId: randomUUID(),
      });
      return { reference: "{}", console: "{}", location: null };
    },
  );
}
