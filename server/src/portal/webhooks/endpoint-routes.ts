import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import type { SecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { type DeliverySummary, summarizeDeliveries } from "@beatmarket/webhooks/deliveries.ts";
import type { Endpoint } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { findEndpoint, listEndpoints } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import type { Selection } from "@beatmarket/webhooks/replay.ts";
import Type from "typebox";
import { versionField } from "../../access/versions.ts";
import type { Queryable } from "../../database/connect.ts";
import {
  createEndpoint,
  createInbox,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  revealSecrets,
  rotateSecret,
  updateEndpoint,
} from "../../resources/webhooks/endpoints.ts";
import { countReplayable, reserveReplay } from "../../resources/webhooks/manual-deliveries.ts";
import { makerOf } from "../maker.ts";
import { type PortalRoute, portalRoute, principalOf, type SignedInCall } from "../route.ts";
import { endpointHealthJson, endpointJson } from "./present.ts";
import {
  CreatedEndpoint,
  countedUpTo,
  EnabledEndpoint,
  EnableRequest,
  EndpointChange,
  EndpointHealth,
  EndpointId,
  EndpointList,
  EndpointSchema,
  maxReplay,
  NewEndpoint,
  NoticeList,
  RotateRequest,
  SecretSchema,
} from "./schema.ts";

/**
 * Counts a replay towards the owner's limit. Throws 400 for more than `maxReplay` deliveries, and 429 for too many
 * replayed deliveries in an hour.
 */
export async function limitReplay(db: Queryable, endpoint: Endpoint, selection: Selection, now: Date): Promise<void> {
  const count = await countReplayable(db, endpoint.id, selection, maxReplay + 1);
  if (count > maxReplay)
    throw invalidRequest(
      `That is more than ${maxReplay.toLocaleString("en")} deliveries, the most that one replay takes; choose a shorter time.`,
      "from",
    );
  await reserveReplay(db, endpoint, count, now);
}

export interface WebhookContext {
  secrets: SecretBox;
  /** Whether endpoints may have private addresses (WEBHOOK_ALLOW_PRIVATE). */
  allowPrivate: boolean;
}

type Call = SignedInCall<unknown, unknown, unknown>;
const tag = "webhooks";
const hourMs = 3_600_000;
/** The success rate covers this number of newest deliveries. */
const ratedDeliveries = 100;

export const nowOf = ({ clock }: Call): Date => new Date(clock.nowMs());

/** Reads and changes an account's endpoints. */
export const endpointRoutes = ({ secrets, allowPrivate }: WebhookContext): PortalRoute[] => [
  portalRoute({
    operationId: "listWebhookEndpoints",
    permission: "webhooks:read",
    method: "GET",
    path: "/webhooks/endpoints",
    tag,
    summary: "List the account's endpoints with their health, oldest first",
    response: EndpointList,
    handle: async (call) => {
      const endpoints = await listEndpoints(call.db, principalOf(call));
      const summaries = await deliverySummaries(call.db, endpoints);
      return { endpoints: endpoints.map((endpoint) => endpointHealthJson(endpoint, summaries.get(endpoint.id))) };
    },
  }),
  portalRoute({
    operationId: "listWebhookNotices",
    permission: "webhooks:read",
    method: "GET",
    path: "/webhooks/notices",
    tag,
    summary: "List the account's endpoints that are disabled or failing",
    response: NoticeList,
    handle: async (call) => {
      const endpoints = (await listEndpoints(call.db, principalOf(call))).map(endpointJson);
      return {
        endpoints: [
          ...endpoints.filter(({ state }) => state === "disabled"),
          ...endpoints.filter(({ state, failing_since }) => state === "enabled" && failing_since !== null),
        ],
      };
    },
  }),
  portalRoute({
    operationId: "createWebhookEndpoint",
    permission: "webhooks:write",
    needsStepUp: true,
    method: "POST",
    path: "/webhooks/endpoints",
    tag,
    summary: "Create an endpoint",
    body: NewEndpoint,
    status: 201,
    refusals: [409],
    response: CreatedEndpoint,
    handle: async (call) => {
      const { url, s3, description, event_types, ordered, version } = call.body;
      const { endpoint, secret } = await createEndpoint(
        call.db,
        {
          userId: call.account.userId,
          url,
          description,
          eventTypes: event_types,
          isOrdered: ordered,
          version: version === undefined ? undefined : versionField(version),
          bucketKey: s3 && bucketKeyOf(s3),
        },
        { secrets, allowPrivate, now: nowOf(call), maker: makerOf(call.account, "webhooks:write") },
        call.author,
      );
      return { endpoint: endpointJson(endpoint), secret };
    },
  }),
  portalRoute({
    operationId: "createWebhookInbox",
    permission: "webhooks:write",
    method: "POST",
    path: "/webhooks/inbox",
    tag,
    summary: "Create the account's inbox, an endpoint that receives within the service",
    status: 201,
    refusals: [409],
    response: EndpointSchema,
    handle: async (call) =>
      endpointJson(await createInbox(call.db, call.account.userId, { secrets, now: nowOf(call) }, call.author)),
  }),
  portalRoute({
    operationId: "getWebhookEndpoint",
    permission: "webhooks:read",
    method: "GET",
    path: "/webhooks/endpoints/:endpoint_id",
    tag,
    summary: "Get an endpoint with its health",
    params: EndpointId,
    response: EndpointHealth,
    handle: async (call) => {
      const endpoint = await findEndpoint(call.db, call.params.endpoint_id, principalOf(call));
      return endpointHealthJson(endpoint, (await deliverySummaries(call.db, [endpoint])).get(endpoint.id));
    },
  }),
  portalRoute({
    operationId: "updateWebhookEndpoint",
    permission: "webhooks:write",
    method: "PATCH",
    path: "/webhooks/endpoints/:endpoint_id",
    tag,
    summary: "Change an endpoint's URL, access key, subscriptions, order, description or version",
    params: EndpointId,
    body: EndpointChange,
    response: EndpointSchema,
    handle: async (call) => {
      const { url, s3, description, event_types, version } = call.body;
      const change = {
        ...(url !== undefined && { url }),
        ...(s3 !== undefined && { bucketKey: bucketKeyOf(s3) }),
        ...(description !== undefined && { description }),
        ...(event_types !== undefined && { eventTypes: event_types }),
        ...(version !== undefined && { version: versionField(version) }),
      };
      const context = { secrets, allowPrivate, now: nowOf(call), maker: makerOf(call.account, "webhooks:write") };
      return endpointJson(await updateEndpoint(call.db, call.params.endpoint_id, principalOf(call), change, context));
    },
  }),
  portalRoute({
    operationId: "deleteWebhookEndpoint",
    permission: "webhooks:write",
    needsStepUp: true,
    method: "DELETE",
    path: "/webhooks/endpoints/:endpoint_id",
    tag,
    summary: "Delete an endpoint, its deliveries and their attempts",
    params: EndpointId,
    status: 204,
    response: Type.Undefined(),
    handle: (call) =>
      deleteEndpoint(call.db, call.params.endpoint_id, principalOf(call), nowOf(call)).then(() => undefined),
  }),
  portalRoute({
    operationId: "disableWebhookEndpoint",
    permission: "webhooks:write",
    method: "POST",
    path: "/webhooks/endpoints/:endpoint_id/disable",
    tag,
    summary: "Disable an endpoint; deliveries of later events are recorded as skipped",
    params: EndpointId,
    response: EndpointSchema,
    handle: async (call) => {
      const context = { reason: "Disabled in the developer portal.", now: nowOf(call) };
      return endpointJson(await disableEndpoint(call.db, call.params.endpoint_id, principalOf(call), context));
    },
  }),
  portalRoute({
    operationId: "enableWebhookEndpoint",
    permission: "webhooks:write",
    method: "POST",
    path: "/webhooks/endpoints/:endpoint_id/enable",
    tag,
    summary: "Enable an endpoint, with or without its skipped deliveries",
    params: EndpointId,
    body: EnableRequest,
    refusals: [409],
    response: EnabledEndpoint,
    handle: async (call) => {
      const id = call.params.endpoint_id;
      const principal = principalOf(call);
      const { replay } = call.body;
      if (replay)
        await limitReplay(call.db, await findEndpoint(call.db, id, principal), { states: ["skipped"] }, nowOf(call));
      const { endpoint, replayed } = await enableEndpoint(call.db, id, principal, { replay, now: nowOf(call) });
      return { endpoint: endpointJson(endpoint), replayed };
    },
  }),
  portalRoute({
    operationId: "revealWebhookSecret",
    permission: "webhooks:write",
    needsStepUp: true,
    method: "POST",
    path: "/webhooks/endpoints/:endpoint_id/reveal-secret",
    tag,
    summary: "Show the secrets of an endpoint; the audit log records it",
    params: EndpointId,
    response: SecretSchema,
    handle: async (call) => {
      const context = { secrets, now: nowOf(call) };
      const { endpoint, secrets: revealed } = await revealSecrets(
        call.db,
        call.params.endpoint_id,
        principalOf(call),
        context,
      );
      return secretJson(endpoint, revealed);
    },
  }),
  portalRoute({
    operationId: "rotateWebhookSecret",
    permission: "webhooks:write",
    needsStepUp: true,
    method: "POST",
    path: "/webhooks/endpoints/:endpoint_id/rotate-secret",
    tag,
    summary: "Replace an endpoint's secret; the old one signs too for some time",
    params: EndpointId,
    body: RotateRequest,
    refusals: [409],
    response: SecretSchema,
    handle: async (call) => {
      const { overlap_hours, force = false } = call.body;
      const id = call.params.endpoint_id;
      const context = { secrets, now: nowOf(call), force };
      const overlapMs = overlap_hours * hourMs;
      const { endpoint, secret } = await rotateSecret(call.db, id, principalOf(call), overlapMs, context);
      return secretJson(endpoint, [secret]);
    },
  }),
];

const bucketKeyOf = (key: { access_key_id: string; secret_access_key: string }) => ({
  accessKeyId: key.access_key_id,
  secretAccessKey: key.secret_access_key,
});

const deliverySummaries = (db: Queryable, endpoints: readonly Endpoint[]): Promise<Map<number, DeliverySummary>> => {
  const ids = endpoints.map(({ id }) => id);
  return summarizeDeliveries(db, ids, { newest: ratedDeliveries, atMost: countedUpTo });
};

/** The secret of an endpoint, and the previous secret while it also signs. A rotation returns only the new secret. */
const secretJson = ({ previousSecretUntil }: Endpoint, [secret, previous]: readonly [string, string?]) => ({
  secret,
  previous_secret: previous ?? null,
  previous_secret_until: previousSecretUntil?.toISOString() ?? null,
});
