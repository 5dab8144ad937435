import { timestamp } from "../../http/formats.ts";
import type { Deliveries } from "../../resources/orders/delivery/deliveries.ts";
import { listDownloads } from "../../resources/orders/delivery/list-downloads.ts";
import { deliveryReference } from "../../resources/orders/delivery/reference.ts";
import { isFullyRefunded } from "../../resources/orders/order.ts";
import { listOrders } from "../../resources/orders/queries.ts";
import { orderFields } from "../../resources/orders/reference.ts";
import { OrderId } from "../../resources/orders/schema.ts";
import { type PortalRoute, portalRoute } from "../route.ts";
import { Library, LibraryFiles, LibraryQuery } from "./schema.ts";

export interface LibraryParts {
  deliveries: Deliveries;
  publicUrl: string;
}

const tag = "Library";
const ordersPerPage = 10;

/** What the account has bought. */
export const libraryRoutes = ({ deliveries, publicUrl }: LibraryParts): PortalRoute[] => [
  portalRoute({
    operationId: "listLibrary",
    method: "GET",
    path: "/library/orders",
    tag,
    summary: "The account's orders in every state, newest first",
    query: LibraryQuery,
    response: Library,
    handle: async ({ db, account, query }) => {
      const orders = await listOrders(db, { userId: account.userId, page: query.page, limit: ordersPerPage });
      const downloads = await listDownloads(
        db,
        orders.items.map(({ id }) => id),
      );
      return {
        orders: orders.items.map((order) => ({
          ...orderFields(order, publicUrl),
          is_refunded: isFullyRefunded(order),
          downloads: downloads
            .filter(({ order_id }) => order_id === order.id)
            .map(({ kind, downloaded_at }) => ({ kind, downloaded_at: timestamp(downloaded_at) })),
        })),
        page: orders.page,
        last_page: orders.lastPage,
        total: orders.total,
      };
    },
  }),
  portalRoute({
    operationId: "listLibraryFiles",
    method: "GET",
    path: "/library/orders/:order_id/files",
    tag,
    summary: "The files of an order with new links, and its license; 503 while the files are being made",
    params: OrderId,
    response: LibraryFiles,
    refusals: [409],
    waits: true,
    handle: async (call) => deliveryReference(await deliveries.list({ ...call, caller: call.account })),
  }),
];
