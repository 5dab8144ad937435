import { money, timestamp } from "@beatmarket/http/formats.ts";
import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import { orderFields } from "../orders/present.ts";
import type { CheckoutWithItems } from "./checkout.ts";
import type { NamedQuote } from "./quote.ts";

/** The fields of a checkout, equal in both forms. */
const checkoutFields = (checkout: CheckoutWithItems, publicUrl: string) => ({
  id: checkout.id,
  url: checkout.url,
  status: checkout.status,
  amount: money(checkout.amount_cents),
  currency: checkout.currency,
  success_url: checkout.success_url,
  cancel_url: checkout.cancel_url,
  failure_reason: checkout.failure_reason,
  created_at: timestamp(checkout.created_at),
  expires_at: timestamp(checkout.expires_at),
  items: checkout.items.map(
    ({
      beat_id,
      license_type,
      amount_cents,
      discount_cents,
      title,
      producer_name,
      upgrades_license,
      credit_cents,
    }) => ({
      beat_id,
      license_type,
      title,
      producer_name,
      upgrades_license,
      credit: money(credit_cents),
      discount: money(discount_cents),
      amount: money(amount_cents),
    }),
  ),
  discounts: checkout.discounts.map(({ id, name, code, amount_cents }) => ({
    id,
    name,
    code,
    amount: money(amount_cents),
  })),
  orders: checkout.orders.map((order) => orderFields(order, publicUrl)),
});

export const checkoutReference = (checkout: CheckoutWithItems, { publicUrl }: PresenterContext) => ({
  checkout: checkoutFields(checkout, publicUrl),
});

export const checkoutConsole = (checkout: CheckoutWithItems, { publicUrl }: PresenterContext) => ({
  data: checkoutFields(checkout, publicUrl),
});

/** The fields of a quote, equal in both forms. */
const quoteFields = ({ quote, currency, licenses }: NamedQuote) => ({
  amount: money(quote.totalCents),
  currency,
  items: quote.items.map((item, place) => ({
    beat_id: item.beatId,
    license_type: item.licenseType,
    title: licenses[place]?.title ?? "",
    producer_name: licenses[place]?.producer_name ?? "",
    upgrades_license: licenses[place]?.upgrades_license ?? null,
    credit: money(licenses[place]?.credit_cents ?? 0),
    price: money(item.priceCents),
    discount: money(item.discountCents),
    amount: money(item.amountCents),
    discount_id: item.ruleId,
  })),
  discounts: quote.rules.flatMap(({ rule, applied, discountCents }) =>
    rule !== null && applied ? [{ id: rule.id, name: rule.name, code: rule.code, amount: money(discountCents) }] : [],
  ),
  rules: quote.rules.map(({ rule, code, applied, reason, discountCents }) => ({
    id: rule?.id ?? null,
    name: rule?.name ?? null,
    kind: rule?.effect.kind ?? null,
    code,
    applied,
    reason,
    amount: money(discountCents),
  })),
});

export const quoteReference = (quote: NamedQuote) => ({ quote: quoteFields(quote) });

export const quoteConsole = (quote: NamedQuote) => ({ data: quoteFields(quote) });
