import type { DocumentPrinter } from "../../printing/printer.ts";
import { type Invoice, invoiceName } from "../invoice.ts";
import type { InvoiceSheet } from "./invoice-document.ts";

const printable = { module: new URL("./invoice-document.ts", import.meta.url), name: "document" };

/** Prints an invoice or a credit note as Factur-X (PDF/A-3a with the invoice as XML), or a producer's copy of it. */
export const printInvoice = (
  printer: Pick<DocumentPrinter, "print">,
  invoice: Invoice,
  { isCopy }: { isCopy: boolean },
): Promise<Uint8Array> => printer.print(printable, { invoice, isCopy } satisfies InvoiceSheet);

/** `INV-2026-000042.pdf`. */
export const invoiceFilename = (invoice: Invoice): string => `${invoiceName(invoice)}.pdf`;
