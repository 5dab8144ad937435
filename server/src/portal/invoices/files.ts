import type { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import type { Content, HttpResponse } from "@beatmarket/http/http-response.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import Type from "typebox";
import type { Account } from "../../access/account.ts";
import { invoiceResponse } from "../../resources/invoices/pdf/printer.ts";
import { findInvoice, type InvoiceReader } from "../../resources/invoices/queries.ts";
import { portalHeaders } from "../route.ts";

const InvoiceId = Type.Object({ invoice_id: Type.Integer({ description: "Identifier of the document." }) });

type ByAccount = Extract<Route["access"], { by: "session" }>;

interface Copy {
  path: string;
  access: Omit<ByAccount, "by" | "required">;
  readerOf(account: Account): InvoiceReader;
  isCopy: boolean;
}

const copies: readonly Copy[] = [
  {
    path: "/library",
    access: { permission: "orders:read" } as Copy["access"],
    readerOf: ({ userId }) => ({ buyerId: userId }),
    isCopy: false,
  },
  {
    path: "/sales",
    access: { permission: "sales:read" } as Copy["access"],
    readerOf: ({ userId }) => ({ producerId: userId }),
    isCopy: true,
  },
  {
    path: "/admin",
    access: { permission: "self", ofOperators: true } as Copy["access"],
    readerOf: () => "all",
    isCopy: false,
  },
];

/**
 * Invoices and credit notes as PDF, for buyers and operators; producers get a copy without the buyer's address. They
 * are files, so the portal's document does not describe them. Printing takes a while, so a request holds no permit in
 * the meantime.
 */
export const invoiceFiles = (printer: Pick<DocumentPrinter, "print">): Route[] =>
  copies.map(({ path, access, readerOf, isCopy }) => ({
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
