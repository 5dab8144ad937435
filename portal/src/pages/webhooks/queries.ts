import { queryOptions } from "@tanstack/react-query";
import { answered, api } from "../../api/client.ts";
import type { components, operations } from "../../api/paths.ts";

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

/** Everything of this area; what is invalidated after a change. */
export const webhooksKey = ["webhooks"] as const;

// Pages are live without a reload: what an eye rests on is read anew so often. A hidden tab reads nothing.
const endpointsEveryMs = 3_000;
const deliveriesEveryMs = 2_000;
const receiptsEveryMs = 1_000;
const noticesEveryMs = 10_000;

export const endpointsQuery = queryOptions({
  queryKey: [...webhooksKey, "endpoints"],
  queryFn: () => answered(api.GET("/webhooks/endpoints")),
  refetchInterval: endpointsEveryMs,
});

export const noticesQuery = queryOptions({
  queryKey: [...webhooksKey, "notices"],
  queryFn: () => answered(api.GET("/webhooks/notices")),
  refetchInterval: noticesEveryMs,
});

export const endpointQuery = (id: number) =>
  queryOptions({
    queryKey: [...webhooksKey, "endpoint", id],
    queryFn: () => answered(api.GET("/webhooks/endpoints/{endpoint_id}", { params: { path: { endpoint_id: id } } })),
    refetchInterval: endpointsEveryMs,
  });

export const deliveriesQuery = (endpointId: number, query: DeliveriesQuery) =>
  queryOptions({
    queryKey: [...webhooksKey, "deliveries", endpointId, query],
    queryFn: () =>
      answered(
        api.GET("/webhooks/endpoints/{endpoint_id}/deliveries", {
          params: { path: { endpoint_id: endpointId }, query },
        }),
      ),
    refetchInterval: deliveriesEveryMs,
  });

export const deliveryQuery = (id: number) =>
  queryOptions({
    queryKey: [...webhooksKey, "delivery", id],
    queryFn: () => answered(api.GET("/webhooks/deliveries/{delivery_id}", { params: { path: { delivery_id: id } } })),
    refetchInterval: deliveriesEveryMs,
  });

export const receiptsQuery = (endpointId: number) =>
  queryOptions({
    queryKey: [...webhooksKey, "receipts", endpointId],
    queryFn: () =>
      answered(
        api.GET("/webhooks/endpoints/{endpoint_id}/receipts", { params: { path: { endpoint_id: endpointId } } }),
      ),
    refetchInterval: receiptsEveryMs,
  });

/** A receipt never changes. */
export const receiptQuery = (id: number) =>
  queryOptions({
    queryKey: [...webhooksKey, "receipt", id],
    queryFn: () => answered(api.GET("/webhooks/receipts/{receipt_id}", { params: { path: { receipt_id: id } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const replayPreviewQuery = (endpointId: number, query: ReplayQuery) =>
  queryOptions({
    queryKey: [...webhooksKey, "replay", endpointId, query],
    queryFn: () =>
      answered(
        api.GET("/webhooks/endpoints/{endpoint_id}/replay", { params: { path: { endpoint_id: endpointId }, query } }),
      ),
  });
