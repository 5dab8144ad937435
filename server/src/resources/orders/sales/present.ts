import { money, timestamp } from "@beatmarket/http/formats.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { consoleMeta, referencePagination } from "@beatmarket/http/pagination.ts";
import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import type { Sale } from "./sale.ts";

/** The same record in both forms. */
export const saleFields = (sale: Sale) => ({
  id: sale.id,
  beat: { id: sale.beat_id, title: sale.title },
  license_type: sale.license_type,
  amount: money(sale.amount_cents),
  refunded_amount: money(sale.refunded_cents),
  currency: sale.currency,
  buyer: { name: sale.buyer_name },
  license_id: sale.license_id,
  downloads: sale.downloads,
  completed_at: timestamp(sale.completed_at),
  refunded_at: sale.refunded_at === null ? null : timestamp(sale.refunded_at),
});

export const salesReference = (page: Page<Sale>, context: PresenterContext) => ({
  sales: page.items.map(saleFields),
  pagination: referencePagination(page, context),
});

export const salesConsole = (page: Page<Sale>) => ({ data: page.items.map(saleFields), meta: consoleMeta(page) });
