import type { Permission } from "./permissions.ts";
import type { PlanName } from "./plans.ts";

/** Who a request comes from, as its API key says. */
export interface Caller {
  readonly keyId: number;
  readonly userId: number;
  readonly plan: PlanName;
  readonly permissions: ReadonlySet<Permission>;
  /** The key's owner calls from the portal's explorer, which has limits of its own. */
  readonly fromExplorer?: true;
}

/** A key that opened once and does no more: its owner is told of calls that are still made with it. */
export interface LapsedKey {
  readonly keyId: number;
  readonly userId: number;
  readonly reason: "revoked" | "expired";
}
