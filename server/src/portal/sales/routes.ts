import { money } from "@beatmarket/http/formats.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import { statuses } from "@beatmarket/license-terms/status-entry.ts";
import { countedUses } from "@beatmarket/license-terms/usage.ts";
import Type from "typebox";
import { listInvoices } from "../../resources/invoices/queries.ts";
import { licenseUrl } from "../../resources/licenses/certificate.ts";
import { listNearlyUsed, listSales } from "../../resources/orders/sales/list-sales.ts";
import { SaleSchema, SalesMonthQuery, SalesQuery, saleFields } from "../../resources/orders/sales/present.ts";
import { exportSales } from "../../resources/orders/sales/routes.ts";
import { findStandings, type Standing } from "../../resources/orders/sales/standing.ts";
import { listSoldBeats, sumSales } from "../../resources/orders/sales/sum-sales.ts";
import { InvoiceReference, invoicesOf } from "../invoices/routes.ts";
import { type PortalRoute, portalHeaders, portalRoute } from "../route.ts";

const closed = { additionalProperties: false };
const amount = Type.Number({ description: "An amount with at most two decimals." });

const SalesPageQuery = Type.Object({
  page: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    default: 1,
    description: "The number of the page, from 1.",
  }),
  from: SalesQuery.properties.from,
  to: SalesQuery.properties.to,
  beat: SalesQuery.properties.beat,
});

const SalesPage = Type.Object(
  {
    sales: Type.Array(
      Type.Object(
        {
          ...SaleSchema.properties,
          license_url: Type.Union([Type.String({ format: "uri" }), Type.Null()], {
            description: "The public page of the license. Null until the license is issued.",
          }),
          license_status: Type.Enum([...statuses], { description: "The status of the license today." }),
          replaces: Type.Union(
            [Type.Object({ order_id: Type.Integer(), is_renewal: Type.Boolean() }, closed), Type.Null()],
            { description: "The order whose license this one upgraded or renewed. Null if there is none." },
          ),
          invoices: Type.Array(InvoiceReference, { description: "Invoices and credit notes, the oldest first." }),
        },
        { $id: "PortalSale", ...closed },
      ),
      { description: "20 sales a page, the newest first." },
    ),
    page: Type.Integer(),
    last_page: Type.Integer(),
    sums: Type.Array(
      Type.Object(
        {
          currency: Type.String({ description: "The currency, by ISO 4217." }),
          sales: Type.Integer(),
          sold: amount,
          refunded: amount,
          net: amount,
        },
        closed,
      ),
      {
        description:
          "The sums of all sales on all pages that match the filters, one for each currency. Empty if there are no sales.",
      },
    ),
  },
  closed,
);

const SoldBeats = Type.Object(
  {
    beats: Type.Array(Type.Object({ id: Type.Integer(), title: Type.String() }, closed), {
      description: "At most 200 beats, the most recently sold first.",
    }),
  },
  closed,
);

const NearlyUsedLicenses = Type.Object(
  {
    licenses: Type.Array(
      Type.Object(
        {
          order_id: Type.Integer(),
          title: Type.String(),
          license_type: Type.Enum([...licenseTypes]),
          buyer: Type.String({ description: "The name of the buyer on the license." }),
          use: Type.Enum([...countedUses]),
          percent: Type.Integer({ description: "The share of the limit that is reported as used: 80 or 100 percent." }),
        },
        closed,
      ),
      { description: "At most 50 licenses, the most used first." },
    ),
  },
  closed,
);

const tag = "Sales";
const salesPerPage = 20;
const maxBeatsShown = 200;
const maxNearlyUsedShown = 50;

const standingFields = ({ status, replaces }: Standing = { status: "valid", replaces: null }) => ({
  license_status: status,
  replaces: replaces && { order_id: replaces.orderId, is_renewal: replaces.isRenewal },
});

/** The account's sales. */
export const salesRoutes = (publicUrl: string): PortalRoute[] => [
  portalRoute({
    operationId: "listPortalSales",
    permission: "sales:read",
    method: "GET",
    path: "/sales",
    tag,
    summary: "List the account's sales, newest first, and the sums of all that match the filters",
    query: SalesPageQuery,
    response: SalesPage,
    handle: async ({ db, account, clock, query }) => {
      const request = { ...query, userId: account.userId, limit: salesPerPage };
      const [page, sums] = await Promise.all([listSales(db, request), sumSales(db, request)]);
      const orderIds = page.items.map(({ id }) => id);
      const [invoices, standings] = await Promise.all([
        listInvoices(db, orderIds),
        findStandings(db, orderIds, new Date(clock.nowMs())),
      ]);
      return {
        sales: page.items.map((sale) => ({
          ...saleFields(sale),
          ...standingFields(standings.get(sale.id)),
          license_url: sale.license_id === null ? null : licenseUrl(publicUrl, sale.license_id),
          invoices: invoicesOf(invoices, sale.id),
        })),
        page: page.page,
        last_page: page.lastPage,
        sums: sums.map(({ currency, sales, sold_cents, refunded_cents }) => ({
          currency,
          sales,
          sold: money(sold_cents),
          refunded: money(refunded_cents),
          net: money(sold_cents - refunded_cents),
        })),
      };
    },
  }),
  portalRoute({
    operationId: "listSoldBeats",
    permission: "sales:read",
    method: "GET",
    path: "/sales/beats",
    tag,
    summary: "List the beats that the account has sold, for the filter of the sales",
    response: SoldBeats,
    handle: async ({ db, account }) => ({ beats: await listSoldBeats(db, account.userId, maxBeatsShown) }),
  }),
  portalRoute({
    operationId: "listNearlyUsedLicenses",
    permission: "sales:read",
    method: "GET",
    path: "/sales/nearly-used",
    tag,
    summary: "List the sold licenses whose holders have reported 80 % or more of a limit as used",
    response: NearlyUsedLicenses,
    handle: async ({ db, account, clock }) => ({
      licenses: (
        await listNearlyUsed(db, account.userId, { limit: maxNearlyUsedShown, now: new Date(clock.nowMs()) })
      ).map(({ buyer_name, ...license }) => ({
        ...license,
        buyer: buyer_name,
      })),
    }),
  }),
];

/** A month of sales as CSV, equal to the file of the API. The portal's OpenAPI document does not describe files. */
export const salesFile: Route = {
  operationId: null,
  method: "GET",
  path: "/sales.csv",
  query: SalesMonthQuery,
  access: { by: "session", required: true, permission: "sales:read" },
  headers: portalHeaders,
  waits: true,
  handle: ({ account, query, ...call }) =>
    exportSales({ ...call, query: query as { month: string }, caller: { userId: account?.userId ?? 0 } }),
  respond: (response) => response as Content,
};
