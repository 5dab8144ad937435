import { conflict } from "@beatmarket/foundation/errors.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import type { Queryable } from "../../database/connect.ts";
import { coverImage } from "../../resources/beats/wire.ts";
import type { Deliveries } from "../../resources/orders/delivery/deliveries.ts";
import { listDownloads } from "../../resources/orders/delivery/list-downloads.ts";
import { deliveryReference } from "../../resources/orders/delivery/present.ts";
import { isFullyRefunded } from "../../resources/orders/order.ts";
import { orderFields } from "../../resources/orders/present.ts";
import { findPaidOrder, listOrders } from "../../resources/orders/queries.ts";
import { OrderId } from "../../resources/orders/schema.ts";
import { type PortalRoute, portalRoute } from "../route.ts";
import { Library, LibraryFiles, LibraryQuery, ReceiptSchema } from "./schema.ts";

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
    permission: "orders:read",
    method: "GET",
    path: "/library/orders",
    tag,
    summary: "The account's orders in every state, newest first",
    query: LibraryQuery,
    response: Library,
    handle: async ({ db, account, query }) => {
      const orders = await listOrders(db, { userId: account.userId, page: query.page, limit: ordersPerPage });
      const [downloads, covers] = await Promise.all([
        listDownloads(
          db,
          orders.items.map(({ id }) => id),
        ),
        coversOf(
          db,
          orders.items.map(({ beat_id }) => beat_id),
        ),
      ]);
      return {
        orders: orders.items.map((order) => ({
          ...orderFields(order, publicUrl),
          cover_image: coverImage({ id: order.beat_id, cover_image: covers.get(order.beat_id) ?? null }, publicUrl),
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
    permission: "orders:read",
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
  portalRoute({
    operationId: "getReceipt",
    permission: "orders:read",
    method: "GET",
    path: "/library/orders/:order_id/receipt",
    tag,
    summary: "What a receipt of a completed order says",
    params: OrderId,
    response: ReceiptSchema,
    refusals: [409],
    handle: async ({ db, account, params }) => {
      const { payment_provider, payment_reference, ...order } = await findPaidOrder(
        db,
        account.userId,
        params.order_id,
      );
      if (order.status !== "completed")
        throw conflict(`Order ${order.id} is not completed, so there is no receipt of it.`);
      return {
        order: orderFields(order, publicUrl),
        buyer:
          account.organisation === null
            ? { name: account.name, email: account.email }
            : { name: account.organisation.name, email: null },
        payment: { provider: payment_provider, reference: payment_reference },
      };
    },
  }),
];

/** The covers of beats by id. */
async function coversOf(db: Queryable, beatIds: readonly number[]): Promise<Map<number, string | null>> {
  if (beatIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("beats")
    .select(["id", "cover_image"])
    .where("id", "in", [...beatIds])
    .execute();
  return new Map(rows.map(({ id, cover_image }) => [id, cover_image]));
}
