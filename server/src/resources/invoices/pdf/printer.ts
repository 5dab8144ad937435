import type { DocumentPrinter } from "@beatmarket/documents/printer.ts";
import { attachment } from "@beatmarket/foundation/text/content-disposition.ts";
import type { HttpResponse } from "@beatmarket/http/http-response.ts";
import { type Invoice, invoiceName } from "../invoice.ts";
import { type InvoiceWithLicensee, producersCopy } from "../queries.ts";
import type { InvoiceSheet } from "./invoice-document.ts";

const printable = { module: new URL("./invoice-document.ts", import.meta.url), name: "document" };

/** Prints an invoice or a credit note as Factur-X (PDF/A-3a with the invoice as XML), or a producer's copy of it. */
export const printInvoice = (
  printer: Pick<DocumentPrinter, "print">,
  invoice: Invoice,
  { isCopy }: { isCopy: boolean },
): Promise<Uint8Array> => printer.print(printable, { invoice, isCopy } satisfies InvoiceSheet);

/** `INV-2026-000042.pdf`. */
const invoiceFilename = (invoice: Invoice): string => `${invoiceName(invoice)}.pdf`;

/** An invoice, or a producer's copy of it, as a download. */
export const invoiceResponse = async (
  printer: Pick<DocumentPrinter, "print">,
  invoiceRow: InvoiceWithLicensee,
  { isCopy }: { isCopy: boolean },
): Promise<HttpResponse> => {
  const invoice = isCopy ? producersCopy(invoiceRow) : invoiceRow;
  return {
    status: 200,
    headers: { "content-type": "application/pdf", "content-disposition": attachment(invoiceFilename(invoice)) },
    body: Buffer.from(await printInvoice(printer, invoice, { isCopy })),
  };
};
