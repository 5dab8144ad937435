import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "./client.ts";
import type { components, operations } from "./paths.ts";

export type Endpoint = components["schemas"]["WebhookEndpoint"];
export type EndpointHealth = components["schemas"]["WebhookEndpointHealth"];
export type Delivery = components["schemas"]["WebhookDelivery"];
export type DeliveryDetail = components["schemas"]["WebhookDeliveryDetail"];
export type ReceiptDetail = components["schemas"]["WebhookReceiptDetail"];
export type Secret = components["schemas"]["WebhookSecret"];
export type EventType = Delivery["type"];
export type DeliveryState = Delivery["state"];
export type DeliveriesQuery = NonNullable<operations["listWebhookDeliveries"]["parameters"]["query"]>;
export type ReplayQuery = operations["previewWebhookReplay"]["parameters"]["query"];

/** The prefix of all query keys below. Invalidate it after a change. */
export const webhooksKey = ["webhooks"] as const;

// Polling intervals. TanStack Query pauses polling in a hidden tab.
const endpointsPollMs = 3_000;
const deliveriesPollMs = 2_000;
const receiptsPollMs = 1_000;
const alertsPollMs = 10_000;

export const endpointsQuery = queryOptions({
  queryKey: [...webhooksKey, "endpoints"],
  queryFn: () => unwrap(api.GET("/webhooks/endpoints")),
  refetchInterval: endpointsPollMs,
});

/** The endpoints that are disabled or failing. */
export const endpointAlertsQuery = queryOptions({
  queryKey: [...webhooksKey, "alerts"],
  queryFn: () => unwrap(api.GET("/webhooks/notices")),
  refetchInterval: alertsPollMs,
});

export const endpointQuery = (id: number) =>
  queryOptions({
    queryKey: [...webhooksKey, "endpoint", id],
    queryFn: () => unwrap(api.GET("/webhooks/endpoints/{endpoint_id}", { params: { path: { endpoint_id: id } } })),
    refetchInterval: endpointsPollMs,
  });

/**
 * Reads a page of deliveries, and then the endpoint's health, so that the health next to the list is never older than
 * the list.
 */
export const deliveriesQuery = (endpointId: number, query: DeliveriesQuery) =>
  queryOptions({
    queryKey: [...webhooksKey, "deliveries", endpointId, query],
    queryFn: async ({ client }) => {
      const page = await unwrap(
        api.GET("/webhooks/endpoints/{endpoint_id}/deliveries", {
          params: { path: { endpoint_id: endpointId }, query },
        }),
      );
      await client.prefetchQuery({ ...endpointQuery(endpointId), staleTime: 0 });
      return page;
    },
    refetchInterval: deliveriesPollMs,
  });

export const deliveryQuery = (id: number) =>
  queryOptions({
    queryKey: [...webhooksKey, "delivery", id],
    queryFn: () => unwrap(api.GET("/webhooks/deliveries/{delivery_id}", { params: { path: { delivery_id: id } } })),
    refetchInterval: deliveriesPollMs,
  });

export const receiptsQuery = (endpointId: number) =>
  queryOptions({
    queryKey: [...webhooksKey, "receipts", endpointId],
    queryFn: () =>
      unwrap(api.GET("/webhooks/endpoints/{endpoint_id}/receipts", { params: { path: { endpoint_id: endpointId } } })),
    refetchInterval: receiptsPollMs,
  });

/** Receipts are immutable. */
export const receiptQuery = (id: number) =>
  queryOptions({
    queryKey: [...webhooksKey, "receipt", id],
    queryFn: () => unwrap(api.GET("/webhooks/receipts/{receipt_id}", { params: { path: { receipt_id: id } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const replayPreviewQuery = (endpointId: number, query: ReplayQuery) =>
  queryOptions({
    queryKey: [...webhooksKey, "replay", endpointId, query],
    queryFn: () =>
      unwrap(
        api.GET("/webhooks/endpoints/{endpoint_id}/replay", { params: { path: { endpoint_id: endpointId }, query } }),
      ),
  });
