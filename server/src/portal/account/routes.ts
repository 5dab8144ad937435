import type { PublishingContext } from "../../resources/beats/publishing/context.ts";
import type { Accounts } from "../auth/accounts.ts";
import type { PortalRoute } from "../route.ts";
import { dataRoutes } from "./data-routes.ts";
import { emailRoutes } from "./email-routes.ts";
import { profileRoutes } from "./profile-routes.ts";
import { securityRoutes } from "./security-routes.ts";
import { sessionRoutes } from "./session-routes.ts";

/** What people do with an account of theirs. */
export const accountRoutes = (parts: {
  accounts: Accounts;
  demoEmail: string | null;
  studio: { publishing: PublishingContext };
}): PortalRoute[] => [
  ...profileRoutes,
  ...emailRoutes(parts.accounts, parts.demoEmail),
  ...sessionRoutes(parts.accounts, parts.demoEmail),
  ...securityRoutes(parts.accounts, parts.demoEmail),
  ...dataRoutes(parts.accounts, parts.demoEmail, parts.studio.publishing),
];
