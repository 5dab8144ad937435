import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import { invoiceKinds } from "../../invoices/invoice.ts";

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

export const InvoicesResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ invoices: Type.Array(InvoiceSchema) }),
  console: Type.Array(InvoiceSchema),
};
