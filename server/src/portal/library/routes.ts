import { conflict } from "@beatmarket/foundation/errors.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import Type from "typebox";
import type { Queryable } from "../../database/connect.ts";
import { coverImage } from "../../resources/beats/wire.ts";
import { listInvoices } from "../../resources/invoices/queries.ts";
import type { AnswerParts } from "../../resources/licenses/answers/ask.ts";
import { fileKinds } from "../../resources/orders/fulfilment/fulfilment.ts";
import type { Fulfilments } from "../../resources/orders/fulfilment/fulfilments.ts";
import { listDownloads } from "../../resources/orders/fulfilment/queries.ts";
import { fulfilmentReference, OrderFiles } from "../../resources/orders/fulfilment/routes.ts";
import { isFullyRefunded } from "../../resources/orders/order.ts";
import { orderFields } from "../../resources/orders/present.ts";
import { findOrderWithPayment, listOrders } from "../../resources/orders/queries.ts";
import { OrderId, OrderSchema } from "../../resources/orders/schema.ts";
import { InvoiceReference, invoicesOf } from "../invoices/routes.ts";
import { type PortalRoute, portalRoute } from "../route.ts";
import { libraryLicenseRoutes } from "./license-routes.ts";

const closed = { additionalProperties: false };

const LibraryQuery = Type.Object({
  page: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    default: 1,
    description: "The number of the page, from 1.",
  }),
});

/** An order with the fields of the API and the additional fields of the library. */
const LibraryOrder = Type.Object(
  {
    ...OrderSchema.properties,
    cover_image: Type.String({ format: "uri", description: "The present cover of the beat." }),
    is_refunded: Type.Boolean({ description: "Whether the order is refunded in full. It then has no files." }),
    invoices: Type.Array(InvoiceReference, { description: "Invoices and credit notes, the oldest first." }),
    downloads: Type.Array(
      Type.Object({ kind: Type.Enum([...fileKinds]), downloaded_at: Type.String({ format: "date-time" }) }, closed),
      { description: "The downloaded files, each with the time of its first download." },
    ),
  },
  { $id: "LibraryOrder", ...closed },
);

const Library = Type.Object(
  {
    orders: Type.Array(LibraryOrder, { description: "10 orders a page, the newest first." }),
    page: Type.Integer(),
    last_page: Type.Integer(),
    total: Type.Integer(),
  },
  closed,
);

const LibraryFiles = Type.Object(
  {
    ...OrderFiles.properties,
    archive: Type.Union(
      [Type.Object({ filename: Type.String(), url: Type.String({ format: "uri" }) }, closed), Type.Null()],
      { description: "A link to all files as one ZIP, valid for 15 minutes. Null if there are no files." },
    ),
  },
  closed,
);

const ReceiptSchema = Type.Object(
  {
    order: OrderSchema,
    buyer: Type.Object(
      { name: Type.String(), email: Type.Union([Type.String(), Type.Null()]) },
      { ...closed, description: "The present facts of the account. Organisations have no e-mail address." },
    ),
    payment: Type.Object(
      {
        provider: Type.String({ description: "The provider that took the payment. `sandbox` moves no money." }),
        reference: Type.Union([Type.String(), Type.Null()], { description: "The payment's id at the provider." }),
      },
      closed,
    ),
    invoices: Type.Array(InvoiceReference, { description: "Invoices and credit notes, the oldest first." }),
  },
  { $id: "Receipt", ...closed },
);

export interface LibraryParts {
  fulfilments: Fulfilments;
  publicUrl: string;
  answers: AnswerParts;
}

const tag = "Library";
const ordersPerPage = 10;

/** The account's purchases. */
export const libraryRoutes = ({ fulfilments, publicUrl, answers }: LibraryParts): PortalRoute[] => [
  ...libraryLicenseRoutes(answers),
  portalRoute({
    operationId: "listLibrary",
    permission: "orders:read",
    method: "GET",
    path: "/library/orders",
    tag,
    summary: "List the account's orders in every state, newest first",
    query: LibraryQuery,
    response: Library,
    handle: async ({ db, account, query }) => {
      const orders = await listOrders(db, { userId: account.userId, page: query.page, limit: ordersPerPage });
      const [downloads, covers, invoices] = await Promise.all([
        listDownloads(
          db,
          orders.items.map(({ id }) => id),
        ),
        coversOf(
          db,
          orders.items.map(({ beat_id }) => beat_id),
        ),
        listInvoices(
          db,
          orders.items.map(({ id }) => id),
        ),
      ]);
      return {
        orders: orders.items.map((order) => ({
          ...orderFields(order, publicUrl),
          cover_image: coverImage({ id: order.beat_id, cover_image: covers.get(order.beat_id) ?? null }, publicUrl),
          is_refunded: isFullyRefunded(order),
          invoices: invoicesOf(invoices, order.id),
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
    summary: "List the files of an order with new links, and its license; 503 while the files are being made",
    params: OrderId,
    response: LibraryFiles,
    refusals: [409],
    waits: true,
    handle: async (call) => {
      const fulfilment = await fulfilments.list({ ...call, caller: call.account });
      const { archive } = fulfilment;
      return {
        ...fulfilmentReference(fulfilment),
        archive: archive && { filename: archive.filename, url: archive.url },
      };
    },
  }),
  portalRoute({
    operationId: "getReceipt",
    permission: "orders:read",
    method: "GET",
    path: "/library/orders/:order_id/receipt",
    tag,
    summary: "Get the receipt of a completed order",
    params: OrderId,
    response: ReceiptSchema,
    refusals: [409],
    handle: async ({ db, account, params }) => {
      const { payment_provider, payment_reference, ...order } = await findOrderWithPayment(
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
        invoices: invoicesOf(await listInvoices(db, [order.id]), order.id),
      };
    },
  }),
];

/** The covers of beats, by the id of the beat. */
async function coversOf(db: Queryable, beatIds: readonly number[]): Promise<Map<number, string | null>> {
  if (beatIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("beats")
    .select(["id", "cover_image"])
    .where("id", "in", [...beatIds])
    .execute();
  return new Map(rows.map(({ id, cover_image }) => [id, cover_image]));
}
