import type { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import type { Content } from "@beatmarket/http/http-response.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { invoiceResponse } from "../resources/invoices/pdf/printer.ts";
import { findInvoice } from "../resources/invoices/queries.ts";
import { type DownloadLinks, readLink } from "../resources/orders/fulfilment/links.ts";
import { downloadHeaders, expiredLink, unknownLink } from "./download-links.ts";

export interface InvoiceFileParts {
  clock: Clock;
  links: DownloadLinks;
  printer: Pick<DocumentPrinter, "print">;
}

/**
 * GET /downloads/{order_id}/invoices/{invoice_id}, and /copies/ for the producer: an invoice as PDF, for every client
 * with a signed link that has not expired. Printing takes a while, so only the look-up takes a permit.
 */
export const invoiceFileRoutes = ({ clock, links, printer }: InvoiceFileParts): Route[] =>
  (["invoices", "copies"] as const).map((kind) => ({
    operationId: null,
    method: "GET",
    path: `/downloads/:order_id/${kind}/:invoice_id`,
    access: { by: "anyone" },
    headers: downloadHeaders,
    isVital: true,
    waits: true,
    handle: async ({ db, context, underPermit }): Promise<Content> => {
      const { invoice_id: id = "" } = context.params;
      const link = /^[1-9]\d{0,14}$/.test(id) ? readLink(context, `${kind}/${Number(id)}`) : null;
      if (link === null || !links.verify(link)) throw unknownLink(`GET /v1/orders/{id}/invoices`);
      if (clock.nowMs() >= link.expires * 1_000) throw expiredLink(link, `GET /v1/orders/${link.orderId}/invoices`);
      const invoice = await underPermit(() => findInvoice(db, Number(id), { orderId: link.orderId }));
      return invoiceResponse(printer, invoice, { isCopy: kind === "copies" });
    },
    respond: (response) => response as Content,
  }));
