import type { PortalRoute } from "../route.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { endpointRoutes, type WebhookContext } from "./endpoint-routes.ts";

/** The portal's webhooks area (docs/webhooks.md). */
export const webhookRoutes = (terms: WebhookContext): PortalRoute[] => [
  ...endpointRoutes(terms),
  ...deliveryRoutes(terms),
];
