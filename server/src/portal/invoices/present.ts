import { money } from "@beatmarket/http/formats.ts";
import Type from "typebox";
import { invoiceKinds } from "../../resources/invoices/invoice.ts";
import type { ListedInvoice } from "../../resources/invoices/queries.ts";

/** An invoice or a credit note of an order, as in lists of orders. */
export const InvoiceReference = Type.Object(
  {
    id: Type.Integer({ description: "What the address of its PDF has." }),
    kind: Type.Enum([...invoiceKinds]),
    number: Type.String({ description: "As people write it: INV-2026-000042." }),
    amount: Type.Number({ description: "Tax included; positive in both kinds." }),
    issued_at: Type.String({ format: "date-time" }),
  },
  { $id: "InvoiceReference", additionalProperties: false },
);

export const invoiceReference = ({ id, kind, name, amountCents, issuedAt }: ListedInvoice) => ({
  ...{ id, kind, number: name, amount: money(amountCents) },
  issued_at: issuedAt.toISOString(),
});

/** The invoices of one order. */
export const invoicesOf = (invoices: readonly ListedInvoice[], orderId: number) =>
  invoices.filter((invoice) => invoice.orderId === orderId).map(invoiceReference);
