import type { Clock } from "@beatmarket/foundation/clock.ts";
import { notFound } from "@beatmarket/foundation/errors.ts";
import { money, timestamp } from "@beatmarket/http/formats.ts";
import { type ResponseSchemas, route } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import type { Caller } from "../../../access/caller.ts";
import type { Queryable } from "../../../database/connect.ts";
import { invoiceKinds } from "../../invoices/invoice.ts";
import { type ListedInvoice, listInvoices } from "../../invoices/queries.ts";
import { type DownloadLinks, linkMs } from "../fulfilment/fulfilment.ts";
import { OrderId } from "../schema.ts";

const InvoiceSchema = Type.Object(
  {
    number: Type.String({
      description: "The number, such as `INV-2026-000042`, or `CN-2026-000007` for a credit note.",
    }),
    kind: Type.Enum([...invoiceKinds], {
      description: "The kind of the document. A `credit_note` cancels what was paid back.",
    }),
    issued_at: Type.String({ format: "date-time", description: "When the document was issued, in UTC." }),
    amount: Type.Number({
      minimum: 0,
      description: "The amount with tax, positive in both kinds. At most two decimals.",
    }),
    currency: Type.String({ description: "The currency, by ISO 4217." }),
    filename: Type.String({ description: "A name for the file: the number of the document." }),
    url: Type.String({ format: "uri", description: "The address of the PDF, which needs no key." }),
    expires_at: Type.String({ format: "date-time", description: "When the link expires, in UTC." }),
  },
  { $id: "Invoice", description: "An invoice or a credit note of an order." },
);

const InvoicesResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ invoices: Type.Array(InvoiceSchema) }),
  console: Type.Array(InvoiceSchema),
};

export interface InvoiceParts {
  db: Queryable;
  clock: Clock;
  links: DownloadLinks;
}

/** An invoice with a new link to its PDF. */
interface LinkedInvoice extends ListedInvoice {
  url: string;
  expiresAt: Date;
}

/** Returns the invoices of an order that the caller bought or sold. Throws 404 for every other order. */
async function listLinkedInvoices(
  { db, clock, links }: InvoiceParts,
  caller: Pick<Caller, "userId" | "permissions">,
  orderId: number,
): Promise<LinkedInvoice[]> {
  const folder = await linkKindFor(db, caller, orderId);
  const expiresAt = new Date(clock.nowMs() + linkMs);
  return (await listInvoices(db, [orderId])).map((invoice) => ({
    ...invoice,
    url: links.sign({ orderId, kind: `${folder}/${invoice.id}`, expiresAt }),
    expiresAt,
  }));
}

/**
 * Returns `invoices` for the buyer. Returns `copies` for the producer if the order is completed and the caller has the
 * permission `sales:read`. Throws 404 for every other caller.
 */
async function linkKindFor(
  db: Queryable,
  { userId, permissions }: Pick<Caller, "userId" | "permissions">,
  orderId: number,
): Promise<"invoices" | "copies"> {
  const order = await db
    .selectFrom("orders")
    .select(["user_id", "producer_id", "status"])
    .where("id", "=", orderId)
    .executeTakeFirst();
  if (order?.user_id === userId) return "invoices";
  if (order?.producer_id === userId && order.status === "completed" && permissions.has("sales:read")) return "copies";
  throw notFound(`You have no order ${orderId}.`);
}

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
