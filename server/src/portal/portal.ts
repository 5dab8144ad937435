import { lastDaysOfUse } from "@beatmarket/request-log/analytics/key-use.ts";
import Type from "typebox";
import { type ChangelogEntry, changeKinds, changelog, entryPath } from "../resources/changelog/entries.ts";
import type { SandboxControl } from "../resources/sandboxes/control.ts";
import { accountRoutes } from "./account/routes.ts";
import { type AdminParts, adminRoutes } from "./admin/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import type { Accounts } from "./auth/accounts.ts";
import { type AuthRouteParts, authRoutes } from "./auth/routes.ts";
import { callRoutes, viewRoutes } from "./calls/routes.ts";
import { claimRoutes } from "./claims/routes.ts";
import { type ContactRouteParts, contactRoutes } from "./contacts/routes.ts";
import { type DeviceRouteParts, deviceRoutes } from "./device/routes.ts";
import { type EarningsParts, earningsRoutes } from "./earnings/routes.ts";
import { splitRoutes } from "./earnings/split-routes.ts";
import { explorerRoutes } from "./explorer/routes.ts";
import { homeRoutes } from "./home/routes.ts";
import { billingRoutes } from "./invoices/routes.ts";
import { limitRequestRoutes } from "./keys/limit-requests.ts";
import { type KeyRouteParts, keyRoutes } from "./keys/routes.ts";
import { type LibraryParts, libraryRoutes } from "./library/routes.ts";
import { lookupRoutes } from "./lookup/routes.ts";
import { keptRoutes, type MarketParts, marketRoutes } from "./market/routes.ts";
import { organisationRoutes } from "./organisation/routes.ts";
import { type PortalRoute, portalRoute } from "./route.ts";
import { salesRoutes } from "./sales/routes.ts";
import { sandboxPageRoutes } from "./sandboxes/routes.ts";
import { type StudioParts, studioRoutes } from "./studio/routes.ts";
import type { WebhookContext } from "./webhooks/endpoint-routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

/** The retention of the request log. */
const daysOfUse = 30;

const closed = { additionalProperties: false };

const ChangesResponse = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: "The id of the entry in the changelog." }),
          date: Type.String({ format: "date" }),
          title: Type.String(),
          kind: Type.Enum([...changeKinds]),
          path: Type.String({ description: "The path of the entry in the changelog." }),
          operations: Type.Array(Type.String(), { description: "The changed operations that the account calls." }),
        },
        { $id: "ApiChange", ...closed },
      ),
      { description: "The newest change comes first." },
    ),
  },
  { $id: "ApiChanges", ...closed },
);

/** The changes of the operations that an account calls. */
const changeRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "listApiChanges",
    permission: "calls:read",
    method: "GET",
    path: "/api-changes",
    tag: "Home",
    summary: "List changes of operations that are newer than the account's last call of them, within 30 days",
    response: ChangesResponse,
    handle: async ({ db, clock, account }) => {
      const lastDays = await lastDaysOfUse(db, account.userId, daysOfUse, clock.nowMs());
      return {
        changes: changesSince(changelog, lastDays).map(({ entry, operations }) => ({
          id: entry.id,
          date: entry.date,
          title: entry.title,
          kind: entry.kind,
          path: entryPath(entry),
          operations,
        })),
      };
    },
  }),
];

/** A change of the API, with the changed operations that the account has not called since. */
interface ChangeSince {
  entry: ChangelogEntry;
  operations: string[];
}

/**
 * The changes of existing operations since the account's last call of each operation. Includes changes on the day of
 * that call, because only the day of a change is known.
 */
export const changesSince = (
  entries: readonly ChangelogEntry[],
  lastDays: ReadonlyMap<string, string>,
): ChangeSince[] =>
  entries
    .filter(({ kind }) => kind !== "added")
    .map((entry) => ({
      entry,
      operations: entry.operations.filter((operation) => (lastDays.get(operation) ?? "9999") <= entry.date),
    }))
    .filter(({ operations }) => operations.length > 0);

/** The dependencies of the portal's routes. */
export interface PortalRouteParts extends AuthRouteParts, KeyRouteParts, DeviceRouteParts {
  accounts: Accounts;
  webhooks: WebhookContext;
  studio: StudioParts;
  market: MarketParts;
  library: LibraryParts;
  contact: ContactRouteParts;
  earnings: EarningsParts;
  admin: AdminParts;
  /** The management of sandboxes; null outside of the test mode of an account. */
  sandboxes: SandboxControl | null;
}

/** The table of all portal routes. */
export const portalRoutes = (parts: PortalRouteParts): PortalRoute[] => [
  ...authRoutes(parts),
  ...accountRoutes(parts),
  ...auditRoutes,
  ...organisationRoutes(parts),
  ...claimRoutes(parts.accounts),
  ...homeRoutes(parts.callLog),
  ...changeRoutes,
  ...lookupRoutes(parts.callLog),
  ...keptRoutes,
  ...keyRoutes(parts),
  ...limitRequestRoutes(parts.library.publicUrl),
  ...sandboxPageRoutes(parts.sandboxes),
  ...deviceRoutes(parts),
  ...viewRoutes,
  ...callRoutes(parts.callLog),
  ...webhookRoutes(parts.webhooks),
  ...explorerRoutes(parts.rateLimits),
  ...studioRoutes(parts.studio),
  ...marketRoutes(parts.market),
  ...libraryRoutes(parts.library),
  ...billingRoutes,
  ...salesRoutes(parts.library.publicUrl),
  ...earningsRoutes(parts.earnings),
  ...splitRoutes(parts.earnings.publicUrl),
  ...contactRoutes(parts.contact),
  ...adminRoutes(parts.admin),
];
