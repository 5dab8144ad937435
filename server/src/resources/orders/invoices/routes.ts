import { money, timestamp } from "@beatmarket/http/formats.ts";
import { route } from "@beatmarket/http/pipeline/api-route.ts";
import { OrderId } from "../schema.ts";
import { type InvoiceParts, type LinkedInvoice, listLinkedInvoices } from "./list.ts";
import { InvoicesResponse } from "./schema.ts";

const invoiceReference = ({ kind, name, amountCents, currency, issuedAt, url, expiresAt }: LinkedInvoice) => ({
  number: name,
  kind,
  issued_at: timestamp(issuedAt),
  amount: money(amountCents),
  currency,
  filename: `${name}.pdf`,
  url,
  expires_at: timestamp(expiresAt),
});

const invoicesReference = (invoices: readonly LinkedInvoice[]) => ({ invoices: invoices.map(invoiceReference) });
const invoicesConsole = (invoices: readonly LinkedInvoice[]) => ({ data: invoices.map(invoiceReference) });

export const invoiceRoutes = (parts: InvoiceParts) => [
  route({
    operationId: "listOrderInvoices",
    client: "orders.invoices",
    method: "GET",
    path: "/orders/:order_id/invoices",
    tag: "Orders",
    summary: "List the invoices of an order",
    description:
      "Returns the invoice of the sale and its corrections, the oldest first: a credit note for each refund and lost dispute, and an invoice for money that came back. Each has a link to its PDF (Factur-X), valid for 15 minutes. An order has no invoice if it was free, is not completed, or was sold while no seller was set. Only for the buyer; a key with `sales:read` also gets those of its account's sales, as copies without the buyer's address and VAT number.",
    permission: "orders:read",
    params: OrderId,
    response: InvoicesResponse,
    present: { reference: invoicesReference, console: invoicesConsole },
    examples: {
      success: { parameters: { order_id: 1 } },
      invalid: { parameters: { order_id: "latest" } },
      missing: { parameters: { order_id: 999999 } },
    },
    handle: ({ caller, params }) => listLinkedInvoices(parts, caller, params.order_id),
  }),
];
