import type { Checkout } from "../../resources/orders/checkout.ts";
import type { PortalRoute } from "../route.ts";
import { type AdminAccountParts, adminAccountRoutes } from "./account-routes.ts";
import { adminAuditRoutes } from "./audit-routes.ts";
import { adminCallRoutes } from "./call-routes.ts";
import { adminImportRoutes } from "./import-routes.ts";
import { adminOrderRoutes } from "./order-routes.ts";
import { adminWebhookRoutes } from "./webhook-routes.ts";

export interface AdminParts extends AdminAccountParts {
  checkout: Checkout;
}

/** The pages of operators, about all accounts. What they change goes through the functions of the commands. */
export const adminRoutes = (parts: AdminParts): PortalRoute[] => [
  ...adminAccountRoutes(parts),
  ...adminOrderRoutes(parts.checkout),
  ...adminWebhookRoutes,
  ...adminCallRoutes(parts),
  ...adminAuditRoutes,
  ...adminImportRoutes,
];
