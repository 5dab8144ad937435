import { join } from "node:path";
import type { PrintableTexts, PrintedDocument } from "@beatmarket/documents/document.ts";
import { type FacturXInvoice, facturX, facturXFile } from "@beatmarket/documents/factur-x.ts";
import { withFacturXMetadata } from "@beatmarket/documents/xmp.ts";
import { formatDate } from "@beatmarket/foundation/text/date.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import { type Invoice, type InvoiceFacts, invoiceName, ratePercent } from "../invoice.ts";

/** The document to print. A producer's copy is not an invoice and has no XML. */
export interface InvoiceSheet {
  invoice: Invoice;
  isCopy: boolean;
}

/** An invoice or a credit note for the printing thread: a Factur-X file. */
export const document: PrintedDocument<InvoiceSheet> = {
  template: join(import.meta.dirname, "invoice.typ"),
  standard: "a-3a",
  dateOf: ({ invoice }) => invoice.issuedAt,
  layout: invoiceLayout,
  finish: (pdf, { isCopy }) => (isCopy ? pdf : withFacturXMetadata(pdf)),
};

/** The data that `invoice.typ` prints. Pure. */
function invoiceLayout({ invoice, isCopy }: InvoiceSheet, print: PrintableTexts) {
  const { name } = print;
  const { facts, corrects, currency, amountCents, taxCents } = invoice;
  const { seller, buyer, line, tax } = facts;
  const amount = (cents: number) => formatAmount(cents, currency);
  const kind = invoice.kind === "invoice" ? "Invoice" : "Credit note";
  const partyLines = (
    address: { name: string; address: readonly string[]; country: string | null },
    ids: (string | null)[],
  ) => ({
    name: name(address.name),
    lines: [
      ...address.address,
      ...(address.country === null ? [] : [address.country]),
      ...ids.filter((id) => id !== null),
    ].map(name),
  });
  return {
    kind,
    number: invoiceName(invoice),
    title: `${kind} ${invoiceName(invoice)}`,
    copy: isCopy ? "Copy for the producer" : "",
    seller: partyLines(seller, [
      seller.vatId && `VAT number ${seller.vatId}`,
      seller.taxNumber && `Tax number ${seller.taxNumber}`,
    ]),
    buyer: partyLines(buyer, [buyer.vatId && `VAT number ${buyer.vatId}`]),
    date: formatDate(invoice.issuedAt),
    order: `No. ${line.orderId}`,
    corrects: corrects === null ? "" : correctionOf(invoice, corrects),
    line: { title: name(line.title), about: name(descriptionOf(line)) },
    amount: amount(amountCents),
    sums:
      tax === null
        ? []
        : [
            { label: "Net", amount: amount(amountCents - taxCents) },
            {
              label: print.clean(`${tax.name} ${ratePercent(tax.basisPoints)} % (${tax.country})`),
              amount: amount(taxCents),
            },
          ],
    note: [
      invoice.kind === "invoice" ? "Paid in full." : "Paid back to the buyer.",
      ...(tax === null ? ["No tax is charged."] : ["The price includes the tax."]),
    ].join(" "),
    boxes: print.lacksGlyphs ? "A box (\u25a1) stands for a character that these fonts do not have." : "",
    attachment: isCopy ? null : { name: facturXFile, xml: facturX(facturXInvoice(invoice)) },
  };
}

const descriptionOf = ({ licenseType, producerName }: InvoiceFacts["line"]): string =>
  `${licenseType} license, prod. by ${producerName}`;

/**
 * The content of the attached XML. A document is paid when it is issued: the buyer has paid, the refund was made, or
 * the refund has come back. A buyer without a country gets the seller's country, as for the tax.
 */
export function facturXInvoice(invoice: Invoice): FacturXInvoice {
  const { seller, buyer, line, tax } = invoice.facts;
  return {
    ...invoice,
    name: invoiceName(invoice),
    seller: { ...seller, id: seller.host },
    buyer: { ...buyer, country: buyer.country ?? seller.country },
    line: { title: line.title, description: descriptionOf(line), orderId: line.orderId },
    tax,
  };
}

const correctionOf = (invoice: Invoice, { name, issuedAt }: { name: string; issuedAt: Date }): string =>
  invoice.kind === "credit_note"
    ? `This corrects invoice ${name} of ${formatDate(issuedAt)}.`
    : `A refund of invoice ${name} of ${formatDate(issuedAt)} came back, so the refunded amount is charged again.`;
