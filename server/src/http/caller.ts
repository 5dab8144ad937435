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
