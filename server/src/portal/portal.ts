import type { Accounts } from "./auth/accounts.ts";
import { type AuthRouteParts, authRoutes } from "./auth/routes.ts";
import { callRoutes } from "./calls/routes.ts";
import type { PortalRoute } from "./route.ts";

/** What the portal's routes are made from. */
export interface PortalRouteParts extends AuthRouteParts {
  accounts: Accounts;
}

/** The table of portal routes: every area of the portal. */
export const portalRoutes = (parts: PortalRouteParts): PortalRoute[] => [...authRoutes(parts), ...callRoutes];
