import { randomUUID } from "node:crypto";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import pino from "pino";
import { IdempotencyKeys } from "../../src/access/idempotency.ts";
import { CatalogueVersion } from "../../src/database/catalogue/catalogue-version.ts";
import { placeOrder } from "../../src/resources/orders/checkout/place-order.ts";
import { Reconciler } from "../../src/resources/orders/checkout/reconciler.ts";
import { Sandbox } from "../../src/resources/orders/payments/sandbox/sandbox.ts";
import { connectForTest } from "../harness/database/driver.ts";
import { testSeller } from "../harness/seller.ts";

// A process that places an order like POST /orders, or settles open orders. It is killed directly after one of its statements
// has taken effect. Arguments: the number of that statement, counted from 1, and the purchase as JSON, or "reconcile".
// Ends with status 0 when the work is complete.
const [killBehind, work = ""] = process.argv.slice(2);
const database = connectForTest({ url: process.env.DATABASE_URL ?? "" });
let statements = 0;
const db = database.withStatementLog(() => {
  if (++statements === Number(killBehind)) process.kill(process.pid, "SIGKILL");
});
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

if (work === "reconcile") await new Reconciler(checkout, new CatalogueVersion()).run();
else {
  const { userId, key, body } = JSON.parse(work);
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
await database.close();
