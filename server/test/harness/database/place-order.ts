import { systemClock } from "@beatmarket/foundation/clock.ts";
import { builtInTerms } from "@beatmarket/license-terms/built-in.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import pino from "pino";
import type { Database } from "../../../src/database/connect.ts";
import { placeOrder } from "../../../src/resources/orders/checkout/place-order.ts";
import type { Order } from "../../../src/resources/orders/order.ts";
import { Sandbox } from "../../../src/resources/orders/payments/sandbox/sandbox.ts";

export interface TestOrder {
  userId: number;
  beatId: number;
  licenseType?: LicenseType;
  paymentMethod?: string;
}

/** Buys a license for an account in the payment sandbox, like `POST /orders`. */
export const placeTestOrder = (
  { query: db }: Pick<Database, "query">,
  { userId, beatId, licenseType = "basic", paymentMethod = "pm_card_visa" }: TestOrder,
): Promise<Order> =>
  placeOrder(
    {
      db,
      clock: systemClock,
      log: pino({ level: "silent" }),
      payments: [new Sandbox(db)],
      currency: "USD",
      commissionBasisPoints: 0,
      seller: null,
      publicUrl: "https://localhost:8443",
      termsVersion: builtInTerms.version,
    },
    { userId, beatId, licenseType, paymentMethod, run: null, requestId: "test" },
  );
