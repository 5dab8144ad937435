import { invalidRequest } from "@beatmarket/foundation/errors.ts";
import { readMoment } from "@beatmarket/http/input/read-moment.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { diagnose } from "@beatmarket/webhooks/debugging/doctor.ts";
import { parseHeaders, signedCurl } from "@beatmarket/webhooks/debugging/signed-curl.ts";
import { type DeliveryCursor, findDelivery, pageDeliveries } from "@beatmarket/webhooks/deliveries.ts";
import { findEndpoint, secretsOf } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import { findReceipt, listReceipts } from "@beatmarket/webhooks/inbox.ts";
import { resendDelivery, type Selection } from "@beatmarket/webhooks/replay.ts";
import type { Static } from "typebox";
import examples from "../../../../contract/examples.json" with { type: "json" };
import { countReplayable, replayDeliveries, sendTestEvent } from "../../resources/webhooks/manual-deliveries.ts";
import { eventRules } from "../../resources/webhooks/outbox.ts";
import { type PortalRoute, portalRoute, principalOf } from "../route.ts";
import { endpointRoutes, limitReplay, nowOf, type WebhookContext } from "./endpoint-routes.ts";
import { deliveryDetailJson, deliveryPageJson, receiptDetailJson, receiptJson } from "./present.ts";
import {
  DeliveriesQuery,
  DeliveryDetail,
  DeliveryId,
  DeliveryPageSchema,
  DiagnosisSchema,
  DoctorRequest,
  EndpointId,
  maxReplay,
  ReceiptDetail,
  ReceiptId,
  ReceiptList,
  Replayed,
  ReplayPreview,
  ReplayQuery,
  ReplayRequest,
  SentTest,
  SignedCurl,
  TestRequest,
} from "./schema.ts";

const tag = "webhooks";

/** Reads, resends, replays and diagnoses the deliveries to an account's endpoints. */
const deliveryRoutes = ({ secrets }: Pick<WebhookContext, "secrets">): PortalRoute[] => [
  portalRoute({
    operationId: "listWebhookDeliveries",
    permission: "webhooks:read",
    method: "GET",
    path: "/webhooks/endpoints/:endpoint_id/deliveries",
    tag,
    summary: "List an endpoint's deliveries, newest event first",
    params: EndpointId,
    query: DeliveriesQuery,
    response: DeliveryPageSchema,
    handle: async (call) => {
      const { state, type, limit } = call.query;
      const { id } = await findEndpoint(call.db, call.params.endpoint_id, principalOf(call));
      const filter = { states: state && [state], types: type && [type], ...rangeOf(call.query) };
      const page = await pageDeliveries(call.db, id, { ...filter, limit, cursor: cursorOf(call.query) }, eventRules);
      return deliveryPageJson(page);
    },
  }),
  portalRoute({
    operationId: "getWebhookDelivery",
    permission: "webhooks:read",
    method: "GET",
    path: "/webhooks/deliveries/:delivery_id",
    tag,
    summary: "Get a delivery with its payload and attempts",
    params: DeliveryId,
    response: DeliveryDetail,
    handle: async (call) => deliveryDetailJson(await findDelivery(call.db, call.params.delivery_id, principalOf(call))),
  }),
  portalRoute({
    operationId: "getWebhookDeliveryCurl",
    permission: "webhooks:write",
    method: "GET",
    path: "/webhooks/deliveries/:delivery_id/curl",
    tag,
    summary: "Get a delivery as a curl command, signed at this moment",
    params: DeliveryId,
    refusals: [409],
    response: SignedCurl,
    handle: async (call) => {
      const context = { secrets, now: nowOf(call), rules: eventRules };
      return { curl: await signedCurl(call.db, call.params.delivery_id, principalOf(call), context) };
    },
  }),
  portalRoute({
    operationId: "resendWebhookDelivery",
    permission: "webhooks:write",
    method: "POST",
    path: "/webhooks/deliveries/:delivery_id/resend",
    tag,
    summary: "Send a delivery again, with the same event id",
    params: DeliveryId,
    status: 202,
    refusals: [409],
    response: DeliveryDetail,
    handle: async (call) => {
      const id = call.params.delivery_id;
      const principal = principalOf(call);
      // Without the transaction, a worker could send the delivery before this request reads it again.
      return transact(call.db, async (transaction) => {
        await resendDelivery(transaction, id, principal, nowOf(call));
        return deliveryDetailJson(await findDelivery(transaction, id, principal));
      });
    },
  }),
  portalRoute({
    operationId: "sendTestWebhook",
    permission: "webhooks:write",
    method: "POST",
    path: "/webhooks/endpoints/:endpoint_id/test",
    tag,
    summary: "Send an example event to an endpoint, regardless of its subscriptions",
    params: EndpointId,
    body: TestRequest,
    status: 202,
    refusals: [409],
    response: SentTest,
    handle: async (call) => {
      const { type } = call.body;
      const endpoint = await findEndpoint(call.db, call.params.endpoint_id, principalOf(call));
      const event = { type, data: examples.events[type].data, at: nowOf(call) };
      return { delivery_id: await sendTestEvent(call.db, endpoint, event) };
    },
  }),
  portalRoute({
    operationId: "previewWebhookReplay",
    permission: "webhooks:read",
    method: "GET",
    path: "/webhooks/endpoints/:endpoint_id/replay",
    tag,
    summary: "Count the deliveries that a replay would send",
    params: EndpointId,
    query: ReplayQuery,
    response: ReplayPreview,
    handle: async (call) => {
      const { id } = await findEndpoint(call.db, call.params.endpoint_id, principalOf(call));
      return { count: await countReplayable(call.db, id, selectionOf(call.query), maxReplay + 1), limit: maxReplay };
    },
  }),
  portalRoute({
    operationId: "replayWebhookDeliveries",
    permission: "webhooks:write",
    method: "POST",
    path: "/webhooks/endpoints/:endpoint_id/replay",
    tag,
    summary: "Replay deliveries: failed ones, skipped ones, or all of a period",
    params: EndpointId,
    body: ReplayRequest,
    status: 202,
    refusals: [409],
    response: Replayed,
    handle: async (call) => {
      const principal = principalOf(call);
      const endpoint = await findEndpoint(call.db, call.params.endpoint_id, principal);
      const selection = selectionOf(call.body);
      await limitReplay(call.db, endpoint, selection, nowOf(call));
      return { replayed: await replayDeliveries(call.db, endpoint, selection, principal, nowOf(call)) };
    },
  }),
  portalRoute({
    operationId: "listWebhookReceipts",
    permission: "webhooks:read",
    method: "GET",
    path: "/webhooks/endpoints/:endpoint_id/receipts",
    tag,
    summary: "List what an inbox received, newest first",
    params: EndpointId,
    response: ReceiptList,
    handle: async (call) => {
      const { id } = await findEndpoint(call.db, call.params.endpoint_id, principalOf(call));
      return { receipts: (await listReceipts(call.db, id)).map(receiptJson) };
    },
  }),
  portalRoute({
    operationId: "getWebhookReceipt",
    permission: "webhooks:read",
    method: "GET",
    path: "/webhooks/receipts/:receipt_id",
    tag,
    summary: "Get a received delivery of an inbox, and how the inbox verified it",
    params: ReceiptId,
    response: ReceiptDetail,
    handle: async (call) => receiptDetailJson(await findReceipt(call.db, call.params.receipt_id, principalOf(call))),
  }),
  portalRoute({
    operationId: "diagnoseWebhook",
    permission: "webhooks:write",
    method: "POST",
    path: "/webhooks/doctor",
    tag,
    summary: "Find out why a receiver rejects a signature",
    body: DoctorRequest,
    refusals: [404],
    response: DiagnosisSchema,
    handle: async (call) => {
      const { endpoint_id, secret, headers, body_base64, computed } = call.body;
      const now = nowOf(call);
      const [currentSecret] = await secretsOf(call.db, endpoint_id, principalOf(call), { secrets, now });
      return diagnose({
        headers: parseHeaders(headers),
        body: Buffer.from(body_base64, "base64"),
        secret: secret ?? currentSecret,
        nowSeconds: Math.floor(now.getTime() / 1000),
        computed,
      });
    },
  }),
];

const rangeOf = ({ from, to }: { from?: string; to?: string }) => ({
  from: readMoment("from", from),
  to: readMoment("to", to),
});

function cursorOf({ older_than, newer_than }: Static<typeof DeliveriesQuery>): DeliveryCursor {
  if (older_than !== undefined && newer_than !== undefined)
    throw invalidRequest("Give older_than or newer_than, not both.", "newer_than");
  if (older_than !== undefined) return { olderThan: older_than };
  return newer_than === undefined ? undefined : { newerThan: newer_than };
}

const statesOf = { failed: ["failed"], skipped: ["skipped"], undelivered: ["failed", "skipped"] } as const;

function selectionOf({ which, from, to }: Static<typeof ReplayQuery>): Selection {
  if (which !== "all") return { states: statesOf[which], ...rangeOf({ ...(from && { from }), ...(to && { to }) }) };
  if (from === undefined) throw invalidRequest("To replay everything, say from when on.", "from");
  return rangeOf({ from, ...(to && { to }) });
}

/** The routes of the portal's pages about webhooks (docs/webhooks.md). */
export const webhookRoutes = (context: WebhookContext): PortalRoute[] => [
  ...endpointRoutes(context),
  ...deliveryRoutes(context),
];
