import { csvText } from "@beatmarket/foundation/text/csv.ts";
import { formatCents } from "@beatmarket/foundation/text/money.ts";
import { timestamp } from "@beatmarket/http/formats.ts";
import type { Sale } from "./sale.ts";

const columns: [name: string, value: (sale: Sale) => string][] = [
  ["order_id", ({ id }) => String(id)],
  ["completed_at", ({ completed_at }) => timestamp(completed_at)],
  ["beat_id", ({ beat_id }) => String(beat_id)],
  ["title", ({ title }) => csvText(title)],
  ["license_type", ({ license_type }) => license_type],
  ["buyer", ({ buyer_name }) => csvText(buyer_name)],
  ["amount", ({ amount_cents }) => formatCents(amount_cents)],
  ["refunded_amount", ({ refunded_cents }) => formatCents(refunded_cents)],
  ["currency", ({ currency }) => currency],
  ["refunded_at", ({ refunded_at }) => (refunded_at === null ? "" : timestamp(refunded_at))],
  ["license_id", ({ license_id }) => license_id ?? ""],
  ["downloads", ({ downloads }) => String(downloads)],
];

/** Rows end as RFC 4180 says. */
export const csvHeader = `${columns.map(([name]) => name).join(",")}\r\n`;
export const csvRow = (sale: Sale): string => `${columns.map(([, value]) => value(sale)).join(",")}\r\n`;
