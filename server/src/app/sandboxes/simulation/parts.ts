import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Queryable } from "../../../database/connect.ts";
import type { CheckoutDependencies } from "../../../resources/orders/checkout.ts";

export interface SimulationParts {
  db: Queryable;
  clock: Clock;
  /** The seed of the sandbox. */
  seed: string;
  checkout: CheckoutDependencies;
  /** Days after which a sale is paid out. */
  clearingDays: number;
}
