import { money, timestamp } from "@beatmarket/http/formats.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import {
  afterParameter,
  consoleMeta,
  pageParameters,
  ReferencePagination,
  referencePagination,
} from "@beatmarket/http/pagination.ts";
import type { PresenterContext, ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import Type from "typebox";
import type { Sale } from "./list-sales.ts";

/** The fields of a sale, which are the same in both forms. */
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

const time = Type.String({ format: "date-time", description: "A time in ISO 8601, UTC, whole seconds." });
const amount = Type.Number({ minimum: 0, description: "An amount with at most two decimals." });

export const SalesQuery = Type.Object({
  ...pageParameters(20, 100),
  from: Type.Optional(
    Type.String({
      format: "date-or-time",
      description: "Only sales completed at this time or later, ISO 8601. A date alone is its first moment in UTC.",
    }),
  ),
  to: Type.Optional(
    Type.String({
      format: "date-or-time",
      description: "Only sales completed before this time, ISO 8601. A date alone is its first moment in UTC.",
    }),
  ),
  beat: Type.Optional(Type.Integer({ description: "Only sales of this beat." })),
  ...afterParameter,
});

export const SalesMonthQuery = Type.Object({
  month: Type.String({
    pattern: "^[12]\\d{3}-(0[1-9]|1[0-2])$",
    description: "The year and the month, such as `2026-11`.",
  }),
});

export const SaleSchema = Type.Object(
  {
    id: Type.Integer({ description: "Identifier of the order." }),
    beat: Type.Object(
      { id: Type.Integer(), title: Type.String() },
      { description: "The beat, with its title at the time of the purchase." },
    ),
    license_type: Type.Enum([...licenseTypes]),
    amount,
    refunded_amount: Type.Number({
      minimum: 0,
      description: "The part of the amount that was paid back. 0 without a refund.",
    }),
    currency: Type.String({ description: "The currency, by ISO 4217." }),
    buyer: Type.Object({ name: Type.String() }, { description: "The name of the buyer on the license." }),
    license_id: Type.Union([Type.String({ format: "uuid" }), Type.Null()], {
      description: "Identifier of the license. Null until it is issued.",
    }),
    downloads: Type.Integer({ minimum: 0, description: "The number of files that the buyer has downloaded." }),
    completed_at: time,
    refunded_at: Type.Union([time, Type.Null()], {
      description: "When the last refund was made. Null if there is none.",
    }),
  },
  { $id: "Sale", description: "A completed order of a beat that the account sold." },
);

export const SalesResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ sales: Type.Array(SaleSchema), pagination: ReferencePagination }),
  console: Type.Array(SaleSchema),
  meta: true,
};
