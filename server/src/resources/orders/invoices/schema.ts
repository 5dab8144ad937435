import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import { invoiceKinds } from "../../invoices/invoice.ts";

const InvoiceSchema = Type.Object(
  {
    number: Type.String({ description: "`INV-2026-000042`, or `CN-2026-000007` of a credit note." }),
    kind: Type.Enum([...invoiceKinds], { description: "`credit_note` takes back what was paid." }),
    issued_at: Type.String({ format: "date-time", description: "UTC time." }),
    amount: Type.Number({
      minimum: 0,
      description: "Tax included; positive in both kinds. At most two decimals.",
    }),
    currency: Type.String({ description: "ISO 4217 code." }),
    filename: Type.String({ description: "A name for the file: its number." }),
    url: Type.String({ format: "uri", description: "The PDF. The link needs no key." }),
    expires_at: Type.String({ format: "date-time", description: "When the link ends; UTC time." }),
  },
  { $id: "Invoice", description: "An invoice or a credit note of an order." },
);

export const InvoicesResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ invoices: Type.Array(InvoiceSchema) }),
  console: Type.Array(InvoiceSchema),
};
