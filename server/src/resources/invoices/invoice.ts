import { formatCents } from "@beatmarket/foundation/text/money.ts";

/** The seller: the operator, who receives the payment. */
export interface Seller {
  name: string;
  /** One to three lines. */
  address: readonly string[];
  /** ISO 3166-1 alpha-2. */
  country: string;
  vatId: string | null;
  taxNumber: string | null;
  /** The host of the shop, which identifies the seller even without a tax number. */
  host: string;
}

/** The buyer on an invoice. */
export interface Billing {
  name: string;
  /** At most three lines; empty without an address. */
  address: readonly string[];
  /** ISO 3166-1 alpha-2; null if unknown. */
  country: string | null;
  vatId: string | null;
}

/** A tax that the price includes. */
export interface Tax {
  name: string;
  country: string;
  basisPoints: number;
}

/** The facts that an invoice freezes in addition to the amounts. */
export interface InvoiceFacts {
  seller: Seller;
  buyer: Billing;
  line: { orderId: number; title: string; producerName: string; licenseType: string };
  /** Null: no tax. */
  tax: Tax | null;
}

export const invoiceKinds = ["invoice", "credit_note"] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

/** An issued invoice or credit note of an order. Amounts are positive in both kinds. */
export interface Invoice {
  id: number;
  kind: InvoiceKind;
  year: number;
  number: number;
  orderId: number;
  /** Tax included. */
  amountCents: number;
  taxCents: number;
  currency: string;
  /** The number and the time of the corrected invoice; null for the invoice of the sale. */
  corrects: { name: string; issuedAt: Date } | null;
  facts: InvoiceFacts;
  issuedAt: Date;
}

const prefixes: Record<InvoiceKind, string> = { invoice: "INV", credit_note: "CN" };

/** The number of an invoice as people read it: INV-2026-000042. */
export const invoiceName = ({ kind, year, number }: Pick<Invoice, "kind" | "year" | "number">): string =>
  `${prefixes[kind]}-${year}-${String(number).padStart(6, "0")}`;

/** The tax in an amount with tax, rounded to the nearest cent, half a cent up. */
export function includedTax(amountCents: number, basisPoints: number): number {
  const amount = BigInt(amountCents);
  const rate = BigInt(basisPoints);
  const divisor = 10_000n + rate;
  return Number((2n * amount * rate + divisor) / (2n * divisor));
}

/**
 * The tax to invoice or credit when the remaining amount of a sale changes. It is a difference of two taxes, so the
 * errors of rounding do not add up.
 */
export const taxOfChange = (beforeCents: number, afterCents: number, tax: Pick<Tax, "basisPoints"> | null): number =>
  tax === null ? 0 : Math.abs(includedTax(afterCents, tax.basisPoints) - includedTax(beforeCents, tax.basisPoints));

/** A rate in percent: 1900 → 19; 550 → 5.50. */
export const ratePercent = (basisPoints: number): string => formatCents(basisPoints).replace(/\.00$/, "");
