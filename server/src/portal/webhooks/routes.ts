import type { PortalRoute } from "../route.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { endpointRoutes, type WebhookTerms } from "./endpoint-routes.ts";

/** The portal's webhooks area (docs/webhooks.md). */
export const webhookRoutes = (terms: WebhookTerms): PortalRoute[] => [
  ...endpointRoutes(terms),
  ...deliveryRoutes(terms),
];
