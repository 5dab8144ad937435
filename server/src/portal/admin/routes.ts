import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { readMoment } from "@beatmarket/http/input/read-moment.ts";
import type { CallLog } from "@beatmarket/request-log/call-log.ts";
import { findEndpoint } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import {
  type FleetCursor,
  type FleetEndpoint,
  fleetHealths,
  listFleet,
  maxCounted,
} from "@beatmarket/webhooks/monitoring/fleet.ts";
import Type, { type Static } from "typebox";
import { type AuditAction, auditActions } from "../../resources/audit/actions.ts";
import { type AccountsAuditEntry, type AuditAuthor, isOperator, listAllAudit } from "../../resources/audit/queries.ts";
import type { SettlementDependencies } from "../../resources/orders/checkout.ts";
import { disableEndpoint, enableEndpoint } from "../../resources/webhooks/endpoints.ts";
import { replayDeliveries } from "../../resources/webhooks/manual-deliveries.ts";
import { operatorRoute, type PortalRoute } from "../route.ts";
import { endpointJson } from "../webhooks/present.ts";
import { EnabledEndpoint, EnableRequest, EndpointId, EndpointSchema } from "../webhooks/schema.ts";
import { type AdminAccountParts, adminAccountRoutes } from "./account-routes.ts";
import { adminBeatRoutes } from "./beat-routes.ts";
import { adminCallRoutes } from "./call-routes.ts";
import { adminImportRoutes } from "./import-routes.ts";
import { adminLimitRequestRoutes } from "./limit-request-routes.ts";
import { adminOrderRoutes } from "./order-routes.ts";
import { adminOverviewRoutes, type OverviewParts } from "./overview-routes.ts";
import { type AdminPayoutParts, adminPayoutRoutes } from "./payout-routes.ts";
import { adminReportRoutes } from "./report-routes.ts";
import {
  AccountReference,
  accountReferences,
  before,
  closed,
  listLimit,
  next,
  orNull,
  pageOf,
  reason,
  text,
  time,
} from "./shapes.ts";

const tag = "Operate";
const count = Type.Integer({ description: `Counted up to ${maxCounted}.` });

const Fleet = Type.Object(
  {
    endpoints: Type.Array(
      Type.Object(
        {
          ...EndpointSchema.properties,
          owner: Type.Object(
            {
              ...AccountReference.properties,
              suspended: Type.Boolean({
                description: "Whether the owner is suspended. Deliveries to a suspended account wait.",
              }),
            },
            closed,
          ),
          consecutive_failures: Type.Integer(),
          pending: count,
          failed: count,
          skipped: count,
          oldest_pending_at: orNull(time, "The time of the event whose delivery has been pending longest."),
        },
        { $id: "FleetEndpoint", ...closed },
      ),
    ),
    next: orNull(Type.String(), "The `before` of the next page. Null on the last page."),
  },
  {
    ...closed,
    description: "The endpoint with the most pending deliveries comes first; of equal ones, the newest.",
  },
);

function readCursor(before: string | undefined): FleetCursor | undefined {
  if (before === undefined) return undefined;
  const [, pending, id] = /^(\d{1,4})-(\d{1,15})$/.exec(before) ?? [];
  if (pending === undefined || id === undefined)
    throw invalidRequest("The before parameter must be the `next` of an earlier page.", "before");
  return { pending: Number(pending), id: Number(id) };
}

/** The webhook endpoints of all accounts, and the operator's actions on them. */
const adminWebhookRoutes: PortalRoute[] = [
  operatorRoute({
    operationId: "listWebhookFleet",
    method: "GET",
    path: "/admin/webhooks",
    tag,
    summary: "List the webhook endpoints of all accounts, with the most pending deliveries first",
    query: Type.Object({
      health: Type.Optional(
        Type.Enum([...fleetHealths], {
          description:
            "Only endpoints in this health. `failing`: enabled, and the last attempt failed. `waiting`: deliveries have been due for a minute or longer.",
        }),
      ),
      account: Type.Optional(Type.Integer({ description: "Only endpoints of this account." })),
      before: text(20, "The `next` of the previous page."),
    }),
    response: Fleet,
    handle: async ({ db, clock, query: { health, account: userId, before } }) => {
      const now = new Date(clock.nowMs());
      const endpoints = await listFleet(db, { health, userId, after: readCursor(before), limit: listLimit + 1, now });
      const listed = endpoints.slice(0, listLimit);
      const last = listed.at(-1);
      const next = endpoints.length > listed.length && last !== undefined ? `${last.pending}-${last.id}` : null;
      const accountOf = await accountReferences(
        db,
        listed.map(({ userId: id }) => id),
      );
      return { endpoints: listed.map((endpoint) => fleetJson(endpoint, accountOf(endpoint.userId))), next };
    },
  }),
  operatorRoute({
    operationId: "enableAnyWebhookEndpoint",
    method: "POST",
    path: "/admin/webhooks/:endpoint_id/enable",
    tag,
    summary: "Enable an endpoint of any account, with or without its skipped deliveries",
    params: EndpointId,
    body: EnableRequest,
    response: EnabledEndpoint,
    handle: async ({ db, clock, params, body, author }) => {
      const request = { replay: body.replay, now: new Date(clock.nowMs()) };
      const { endpoint, replayed } = await enableEndpoint(db, params.endpoint_id, author, request);
      return { endpoint: endpointJson(endpoint), replayed };
    },
  }),
  operatorRoute({
    operationId: "disableAnyWebhookEndpoint",
    method: "POST",
    path: "/admin/webhooks/:endpoint_id/disable",
    tag,
    summary: "Disable an endpoint of any account; its owner gets the reason by mail",
    params: EndpointId,
    body: Type.Object({ reason }),
    response: EndpointSchema,
    handle: async ({ db, clock, params, body, author }) => {
      const request = { reason: body.reason, now: new Date(clock.nowMs()) };
      return endpointJson(await disableEndpoint(db, params.endpoint_id, author, request));
    },
  }),
  operatorRoute({
    operationId: "replayAnyWebhookEndpoint",
    method: "POST",
    path: "/admin/webhooks/:endpoint_id/replay",
    tag,
    summary: "Send the failed and skipped deliveries of any account's endpoint again",
    params: EndpointId,
    response: Type.Object({ replayed: Type.Integer() }, closed),
    refusals: [409],
    handle: async ({ db, clock, params, author }) => {
      const endpoint = await findEndpoint(db, params.endpoint_id, author);
      const now = new Date(clock.nowMs());
      return { replayed: await replayDeliveries(db, endpoint, { states: ["failed", "skipped"] }, author, now) };
    },
  }),
];

const fleetJson = (endpoint: FleetEndpoint, owner: Static<typeof AccountReference>) => ({
  ...endpointJson(endpoint),
  owner: { ...owner, suspended: endpoint.isSuspended },
  consecutive_failures: endpoint.consecutiveFailures,
  pending: endpoint.pending,
  failed: endpoint.failed,
  skipped: endpoint.skipped,
  oldest_pending_at: endpoint.oldestPendingAt?.toISOString() ?? null,
});

const actions = Object.keys(auditActions) as [AuditAction, ...AuditAction[]];

const AdminAudit = Type.Object(
  {
    entries: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          time,
          action: Type.String({ description: "The name of the action for programs, such as `api_key.created`." }),
          what: Type.String({ description: 'The name of the action for people, such as "API key created".' }),
          subject: Type.String({ description: "The object of the action. Empty if it is the account." }),
          account: AccountReference,
          by: Type.Enum(["owner", "operator", "command"], {
            description: "Who acted: the account's owner, an operator in the portal, or a command.",
          }),
          operator: orNull(AccountReference, "The operator who acted in the portal."),
          client_address: Type.String({ description: "The address of the client. Empty for a command." }),
          user_agent: Type.String(),
        },
        { $id: "AdminAuditEntry", ...closed },
      ),
    ),
    next,
  },
  { ...closed, description: "The newest entry comes first." },
);

/** The audit logs of all accounts. */
const adminAuditRoutes: PortalRoute[] = [
  operatorRoute({
    operationId: "listAdminAudit",
    method: "GET",
    path: "/admin/audit",
    tag: "Operate",
    summary: "List the actions of owners and operators on all accounts, newest first",
    query: Type.Object({
      account: Type.Optional(Type.Integer({ description: "Only entries in this account's log." })),
      actor: text(
        15,
        "Only actions of `owners`, of `operators` (which includes commands), or of the operator with this account id.",
      ),
      action: Type.Optional(Type.Enum(actions, { description: "Only entries with this action." })),
      from: text(40, "Only entries from this time on, ISO 8601."),
      to: text(40, "Only entries before this time, ISO 8601."),
      before,
    }),
    response: AdminAudit,
    handle: async ({ db, query }) => {
      const entries = await listAllAudit(db, {
        userId: query.account,
        actor: readActor(query.actor),
        action: query.action,
        from: readMoment("from", query.from),
        to: readMoment("to", query.to),
        beforeId: query.before,
        limit: listLimit + 1,
      });
      const page = pageOf(entries);
      const accountOf = await accountReferences(
        db,
        page.items.flatMap(({ userId, author }) => [userId, operatorOf(author) ?? []].flat()),
      );
      return { entries: page.items.map((entry) => entryJson(entry, accountOf)), next: page.next };
    },
  }),
];

function readActor(actor: string | undefined): number | "operators" | "owners" | undefined {
  if (actor === undefined || actor === "operators" || actor === "owners") return actor;
  if (/^\d{1,15}$/.test(actor)) return Number(actor);
  throw invalidRequest("The actor parameter must be owners, operators, or the id of an account.", "actor");
}

/** The id of the operator who acted in the portal; null for an owner and for a command. */
const operatorOf = (author: AuditAuthor): number | null =>
  author !== "operator" && isOperator(author) ? author.operatorId : null;

function actorOf(author: AuditAuthor): "command" | "operator" | "owner" {
  if (author === "operator") return "command";
  return operatorOf(author) === null ? "owner" : "operator";
}

function entryJson(
  { id, time: at, action, subject, author, userId }: AccountsAuditEntry,
  accountOf: Awaited<ReturnType<typeof accountReferences>>,
) {
  const operatorId = operatorOf(author);
  return {
    id,
    time: at.toISOString(),
    action,
    what: auditActions[action],
    subject,
    account: accountOf(userId),
    by: actorOf(author),
    operator: operatorId === null ? null : accountOf(operatorId),
    client_address: author === "operator" ? "" : author.clientAddress,
    user_agent: author === "operator" ? "" : author.userAgent,
  };
}

export interface AdminParts extends AdminAccountParts {
  callLog: CallLog;
  checkout: SettlementDependencies;
  payouts: AdminPayoutParts;
  overview: OverviewParts;
}

/** The operators' routes for all accounts. They call the same functions as the commands of operators. */
export const adminRoutes = (parts: AdminParts): PortalRoute[] => [
  ...adminOverviewRoutes(parts.overview),
  ...adminAccountRoutes(parts),
  ...adminBeatRoutes(parts.publicUrl),
  ...adminLimitRequestRoutes(parts.publicUrl),
  ...adminReportRoutes(parts.publicUrl),
  ...adminPayoutRoutes(parts.payouts),
  ...adminOrderRoutes(parts.checkout),
  ...adminWebhookRoutes,
  ...adminCallRoutes(parts),
  ...adminAuditRoutes,
  ...adminImportRoutes,
];
