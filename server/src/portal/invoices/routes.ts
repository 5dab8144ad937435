import type { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import { money } from "@beatmarket/http/formats.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import Type from "typebox";
import type { Account } from "../../access/account.ts";
import type { Queryable } from "../../database/connect.ts";
import { findBilling, readBilling, saveBilling } from "../../resources/invoices/billing.ts";
import { invoiceKinds } from "../../resources/invoices/invoice.ts";
import { invoiceResponse } from "../../resources/invoices/pdf/printer.ts";
import { findInvoice, type InvoiceReader, type ListedInvoice } from "../../resources/invoices/queries.ts";
import { type PortalRoute, portalHeaders, portalRoute, principalOf } from "../route.ts";

const tag = "Library";
const field = (maxLength: number, description: string) => Type.String({ maxLength, description });

const BillingDetails = Type.Object(
  {
    name: field(100, "The name on invoices. If it is empty, invoices have the name on the account's licenses."),
    address: Type.String({
      maxLength: 320,
      "x-multiline": true,
      description: "The address in at most three lines, separated by line breaks.",
    }),
    country: field(2, "The country as two letters (ISO 3166-1). Empty if it is unknown."),
    vat_id: field(20, "The VAT number, which begins with the country. Empty if there is none."),
  },
  { $id: "BillingDetails", additionalProperties: false },
);

const billingOf = async (db: Queryable, userId: number) => {
  const billing = await findBilling(db, userId);
  return {
    name: billing?.name ?? "",
    address: billing?.address.join("\n") ?? "",
    country: billing?.country ?? "",
    vat_id: billing?.vatId ?? "",
  };
};

/** The account's billing details, which future invoices contain. */
export const billingRoutes: PortalRoute[] = [
  portalRoute({
    operationId: "getBilling",
    permission: "orders:read",
    method: "GET",
    path: "/library/billing",
    tag,
    summary: "Get the billing details for invoices of the account's purchases",
    response: BillingDetails,
    handle: ({ db, account }) => billingOf(db, account.userId),
  }),
  portalRoute({
    operationId: "saveBilling",
    permission: "orders:write",
    method: "PUT",
    path: "/library/billing",
    tag,
    summary: "Set the billing details for invoices of the account's later purchases",
    body: BillingDetails,
    response: BillingDetails,
    handle: async ({ db, account, author, body: { vat_id: vatId, ...typed }, clock }) => {
      const now = new Date(clock.nowMs());
      const { ownerId } = principalOf({ account, author });
      await saveBilling(db, ownerId, readBilling({ ...typed, vatId }), { author, now });
      return billingOf(db, ownerId);
    },
  }),
];

const InvoiceId = Type.Object({ invoice_id: Type.Integer({ description: "Identifier of the document." }) });

type ByAccount = Extract<Route["access"], { by: "session" }>;

interface InvoiceFile {
  path: string;
  access: Omit<ByAccount, "by" | "required">;
  readerOf(account: Account): InvoiceReader;
  isCopy: boolean;
}

const files: readonly InvoiceFile[] = [
  {
    path: "/library",
    access: { permission: "orders:read" } as InvoiceFile["access"],
    readerOf: ({ userId }) => ({ buyerId: userId }),
    isCopy: false,
  },
  {
    path: "/sales",
    access: { permission: "sales:read" } as InvoiceFile["access"],
    readerOf: ({ userId }) => ({ producerId: userId }),
    isCopy: true,
  },
  {
    path: "/admin",
    access: { permission: "self", ofOperators: true } as InvoiceFile["access"],
    readerOf: () => "all",
    isCopy: false,
  },
];

/**
 * Invoices and credit notes as PDF, for buyers and operators. Producers get a copy without the buyer's address. A
 * request holds no permit during the printing, which may take seconds. The portal's OpenAPI document does not describe
 * files.
 */
export const invoiceFiles = (printer: Pick<DocumentPrinter, "print">): Route[] =>
  files.map(({ path, access, readerOf, isCopy }) => ({
    operationId: null,
    method: "GET",
    path: `${path}/invoices/:invoice_id/pdf`,
    params: InvoiceId,
    query: Type.Object({}),
    access: { by: "session", required: true, ...access } as ByAccount,
    headers: portalHeaders,
    waits: true,
    handle: async ({ db, account, params, underPermit }): Promise<HttpResponse> => {
      const { invoice_id: id } = params as { invoice_id: number };
      const invoice = await underPermit(() => findInvoice(db, id, readerOf(account as Account)));
      return invoiceResponse(printer, invoice, { isCopy });
    },
    respond: (response) => response as Content,
  }));

/** An invoice or a credit note in a list of orders. */
export const InvoiceReference = Type.Object(
  {
    id: Type.Integer({ description: "The id in the address of the PDF." }),
    kind: Type.Enum([...invoiceKinds]),
    number: Type.String({ description: "The number for people, such as INV-2026-000042." }),
    amount: Type.Number({ description: "The amount with tax. Positive in invoices and in credit notes." }),
    issued_at: Type.String({ format: "date-time" }),
  },
  { $id: "InvoiceReference", additionalProperties: false },
);

export const invoiceReference = ({ id, kind, name, amountCents, issuedAt }: ListedInvoice) => ({
  id,
  kind,
  number: name,
  amount: money(amountCents),
  issued_at: issuedAt.toISOString(),
});

/** The invoices of one order. */
export const invoicesOf = (invoices: readonly ListedInvoice[], orderId: number) =>
  invoices.filter((invoice) => invoice.orderId === orderId).map(invoiceReference);
