import { notFound } from "@beatmarket/foundation/errors.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { type Invoice, type InvoiceKind, invoiceName } from "./invoice.ts";

/** An invoice in a list. */
export interface ListedInvoice {
  id: number;
  kind: InvoiceKind;
  /** INV-2026-000042. */
  name: string;
  orderId: number;
  amountCents: number;
  currency: string;
  issuedAt: Date;
}

/** The invoices and credit notes of orders, oldest first. */
export async function listInvoices(db: Queryable, orderIds: readonly number[]): Promise<ListedInvoice[]> {
  if (orderIds.length === 0) return [];
  const rows = await db
    .selectFrom("invoices")
    .select(["id", "kind", "year", "number", "order_id", "amount_cents", "currency", "issued_at"])
    .$narrowType<{ kind: InvoiceKind }>()
    .where("order_id", "in", [...orderIds])
    .orderBy("id")
    .execute();
  return rows.map(({ id, kind, year, number, order_id, amount_cents, currency, issued_at }) => ({
    ...{ id, kind, name: invoiceName({ kind, year, number }), orderId: order_id },
    ...{ amountCents: amount_cents, currency, issuedAt: issued_at },
  }));
}

type Corrected = Pick<Invoice, "kind" | "year" | "number"> & { at: string };

/** The documents that a reader may see: those of orders that the account bought or sold; `all` for operators. */
export type InvoiceReader = { buyerId: number } | { producerId: number } | { orderId: number } | "all";

/** An invoice with the name on the license. */
export interface FoundInvoice extends Invoice {
  licensee: string;
}

/** Throws 404 for an unknown invoice, and for one that the reader may not see. */
export async function findInvoice(db: Queryable, id: number, reader: InvoiceReader): Promise<FoundInvoice> {
  const isSeen =
    reader === "all"
      ? sql`true`
      : "buyerId" in reader
        ? sql`orders.user_id = ${reader.buyerId}`
        : "producerId" in reader
          ? sql`orders.producer_id = ${reader.producerId} and orders.status = 'completed'`
          : sql`orders.id = ${reader.orderId}`;
  const { rows } = await sql<FoundInvoice & { corrected: Corrected | null }>`
    select invoice.id, invoice.kind, invoice.year, invoice.number, invoice.order_id as "orderId",
      invoice.amount_cents as "amountCents", invoice.tax_cents as "taxCents", invoice.currency, invoice.facts,
      invoice.issued_at as "issuedAt", coalesce(orders.buyer_name, '') as licensee, case when sale.id is not null then
        json_build_object('kind', sale.kind, 'year', sale.year, 'number', sale.number, 'at', sale.issued_at) end as corrected
    from invoices as invoice join orders on orders.id = invoice.order_id left join invoices as sale on sale.id = invoice.corrects_id
    where invoice.id = ${id} and ${isSeen}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw notFound(`There is no invoice ${id}, or it is not yours.`);
  const { corrected, ...invoice } = row;
  return { ...invoice, corrects: corrected && { name: invoiceName(corrected), issuedAt: new Date(corrected.at) } };
}

/** The producer's view of a buyer's document: the buyer as named on the license, without address and tax number. */
export const producersCopy = ({ facts, ...invoice }: FoundInvoice): Invoice => ({
  ...invoice,
  facts: { ...facts, buyer: { name: invoice.licensee, address: [], country: null, vatId: null } },
});
