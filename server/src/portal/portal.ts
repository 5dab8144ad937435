import type { RateLimitStore } from "../http/rate-limit/store.ts";
import type { Accounts } from "./auth/accounts.ts";
import { type AuthRouteParts, authRoutes } from "./auth/routes.ts";
import { callRoutes } from "./calls/routes.ts";
import { explorerRoutes } from "./explorer/routes.ts";
import type { PortalRoute } from "./route.ts";
import type { WebhookTerms } from "./webhooks/endpoint-routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

/** What the portal's routes are made from. */
export interface PortalRouteParts extends AuthRouteParts {
  accounts: Accounts;
  webhooks: WebhookTerms;
  rateLimits: RateLimitStore;
}

/** The table of portal routes: every area of the portal. */
export const portalRoutes = (parts: PortalRouteParts): PortalRoute[] => [
  ...authRoutes(parts),
  ...callRoutes,
  ...webhookRoutes(parts.webhooks),
  ...explorerRoutes(parts.rateLimits),
];
