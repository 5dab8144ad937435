import { notFound } from "@beatmarket/foundation/errors.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import {
  type Billing,
  type Invoice,
  type InvoiceFacts,
  type InvoiceKind,
  includedTax,
  invoiceName,
  type Seller,
  type Tax,
  taxOfChange,
} from "./invoice.ts";

/** An invoice in a list. */
export interface ListedInvoice {
  id: number;
  kind: InvoiceKind;
  /** The number as people read it: INV-2026-000042. */
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
    id,
    kind,
    name: invoiceName({ kind, year, number }),
    orderId: order_id,
    amountCents: amount_cents,
    currency,
    issuedAt: issued_at,
  }));
}

type Corrected = Pick<Invoice, "kind" | "year" | "number"> & { at: string };

/**
 * The documents that a reader may see: of orders that an account bought or sold, of one order, or all. `all` is for
 * operators, and for callers that check the order themselves.
 */
export type InvoiceReader = { buyerId: number } | { producerId: number } | { orderId: number } | "all";

/** An invoice with the name on the license. */
export interface InvoiceWithLicensee extends Invoice {
  /** Empty if the order has no name. */
  licensee: string;
}

/** The condition under which a reader may see the invoices of an order. */
function isVisibleTo(reader: InvoiceReader): RawBuilder<boolean> {
  if (reader === "all") return sql`true`;
  if ("buyerId" in reader) return sql`orders.user_id = ${reader.buyerId}`;
  if ("orderId" in reader) return sql`orders.id = ${reader.orderId}`;
  return sql`orders.producer_id = ${reader.producerId} and orders.status = 'completed'`;
}

/** Finds an invoice. Throws 404 for an unknown invoice, and for one that the reader may not see. */
export async function findInvoice(db: Queryable, id: number, reader: InvoiceReader): Promise<InvoiceWithLicensee> {
  const { rows } = await sql<InvoiceWithLicensee & { corrected: Corrected | null }>`
    select invoice.id, invoice.kind, invoice.year, invoice.number, invoice.order_id as "orderId",
      invoice.amount_cents as "amountCents", invoice.tax_cents as "taxCents", invoice.currency, invoice.facts,
      invoice.issued_at as "issuedAt", coalesce(orders.buyer_name, '') as licensee, case when sale.id is not null then
        json_build_object('kind', sale.kind, 'year', sale.year, 'number', sale.number, 'at', sale.issued_at) end as corrected
    from invoices as invoice join orders on orders.id = invoice.order_id left join invoices as sale on sale.id = invoice.corrects_id
    where invoice.id = ${id} and ${isVisibleTo(reader)}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw notFound(`There is no invoice ${id}, or it is not yours.`);
  const { corrected, ...invoice } = row;
  return { ...invoice, corrects: corrected && { name: invoiceName(corrected), issuedAt: new Date(corrected.at) } };
}

/** The producer's copy of a document. Of the buyer's details, it has only the name on the license. */
export const producersCopy = ({ facts, ...invoice }: InvoiceWithLicensee): Invoice => ({
  ...invoice,
  facts: { ...facts, buyer: { name: invoice.licensee, address: [], country: null, vatId: null } },
});

/** The facts of an order that its invoice needs. */
export interface SoldOrder {
  id: number;
  title: string;
  producer_name: string;
  license_type: string;
  amount_cents: number;
  currency: string;
}

interface NewInvoice {
  orderId: number;
  amountCents: number;
  taxCents: number;
  currency: string;
  correctsId: number | null;
  facts: InvoiceFacts;
}

/**
 * Issues an invoice for each sale, in the transaction that completes the orders. A free order has none. Without a
 * seller, no order has one. Should be called last in the transaction, since the row of the counter is locked until the
 * commit.
 */
export async function issueInvoices(
  transaction: Queryable,
  orders: readonly SoldOrder[],
  { seller, now }: { seller: Seller | null; now: Date },
): Promise<void> {
  const paidOrders = orders.filter(({ amount_cents }) => amount_cents > 0);
  if (seller === null || paidOrders.length === 0) return;
  const buyers = await readBuyers(
    transaction,
    paidOrders.map(({ id }) => id),
    { country: seller.country, now },
  );
  const invoices = paidOrders.map((order) => {
    const { buyer, tax } = buyers.get(order.id) ?? { buyer: emptyBilling, tax: null };
    const { id: orderId, title, producer_name: producerName, license_type: licenseType } = order;
    return {
      orderId,
      amountCents: order.amount_cents,
      currency: order.currency,
      correctsId: null,
      taxCents: tax === null ? 0 : includedTax(order.amount_cents, tax.basisPoints),
      facts: { seller, buyer, line: { orderId, title, producerName, licenseType }, tax },
    };
  });
  await insertInvoices(transaction, "invoice", invoices, now);
}

const emptyBilling: Billing = { name: "", address: [], country: null, vatId: null };

/**
 * The buyer of each order, and the tax of the buyer's country on the day of `now`. `country` is the seller's country,
 * which counts for a buyer without one.
 */
async function readBuyers(
  transaction: Queryable,
  orderIds: readonly number[],
  { country, now }: { country: string; now: Date },
): Promise<Map<number, { buyer: Billing; tax: Tax | null }>> {
  const { rows } = await sql<{ id: number; name: string; billing: Billing | null; tax: Tax | null }>`
    select sold.id, sold.name, sold.billing, (
      select json_build_object('name', rate.name, 'country', rate.country, 'basisPoints', basis_points) from tax_rates as rate
      where rate.country = coalesce(sold.billing ->> 'country', ${country})
        and ${now.toISOString().slice(0, 10)}::date between valid_from and coalesce(valid_to, 'infinity')) as tax
    from (
      select orders.id, coalesce(orders.buyer_name, buyer.display_name) as name,
        coalesce(checkouts.billing, (
          select jsonb_build_object('name', details.name, 'address', address, 'country', country, 'vatId', vat_id)
          from billing_details as details where details.user_id = orders.user_id)) as billing
      from orders join users as buyer on buyer.id = orders.user_id
        left join checkouts on checkouts.payment_key = orders.checkout_key
      where orders.id = any (${orderIds}::bigint[])) as sold`.execute(transaction);
  return new Map(rows.map(({ id, name, billing, tax }) => [id, { buyer: billing ?? { ...emptyBilling, name }, tax }]));
}

/**
 * Issues the correction of a sale's invoice after the remaining amount changed: a credit note for a refund, an invoice
 * for a returned refund. A correction has the names and the tax of the invoice. A sale without an invoice has no
 * correction. The caller has locked the order.
 */
export async function issueCorrection(
  transaction: Queryable,
  { orderId, beforeCents, afterCents, now }: { orderId: number; beforeCents: number; afterCents: number; now: Date },
): Promise<void> {
  if (beforeCents === afterCents) return;
  const invoice = await transaction
    .selectFrom("invoices")
    .select(["id", "currency", "facts"])
    .$narrowType<{ facts: InvoiceFacts }>()
    .where("order_id", "=", orderId)
    .where("corrects_id", "is", null)
    .executeTakeFirst();
  if (invoice === undefined) return;
  const correction = {
    orderId,
    currency: invoice.currency,
    correctsId: invoice.id,
    facts: invoice.facts,
    amountCents: Math.abs(afterCents - beforeCents),
    taxCents: taxOfChange(beforeCents, afterCents, invoice.facts.tax),
  };
  await insertInvoices(transaction, afterCents < beforeCents ? "credit_note" : "invoice", [correction], now);
}

/** Inserts invoices with the next numbers of the year (UTC), by order id. */
async function insertInvoices(
  transaction: Queryable,
  kind: InvoiceKind,
  invoices: readonly NewInvoice[],
  now: Date,
): Promise<void> {
  const column = <T>(value: (invoice: NewInvoice) => T) => invoices.map(value);
  const year = now.getUTCFullYear();
  await sql`
    with taken as (
      insert into invoice_numbers as counter (kind, year, last) values (${kind}, ${year}, ${invoices.length})
      on conflict (kind, year) do update set last = counter.last + excluded.last
      returning last - ${invoices.length} as before
    )
    insert into invoices (kind, year, number, order_id, amount_cents, tax_cents, currency, corrects_id, facts, issued_at)
    select ${kind}, ${year}, taken.before + row_number() over (order by new.order_id), new.order_id, new.amount_cents, new.tax_cents,
      new.currency, new.corrects_id, new.facts::jsonb, ${now}::timestamptz
    from taken, unnest(${column(({ orderId }) => orderId)}::bigint[], ${column(({ amountCents }) => amountCents)}::bigint[],
        ${column(({ taxCents }) => taxCents)}::bigint[], ${column(({ currency }) => currency)}::text[],
        ${column(({ correctsId }) => correctsId)}::bigint[], ${column(({ facts }) => JSON.stringify(facts))}::text[])
      as new (order_id, amount_cents, tax_cents, currency, corrects_id, facts)`.execute(transaction);
}
