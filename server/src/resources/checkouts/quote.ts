import type { Queryable } from "../../database/connect.ts";
import { normalCode } from "../discounts/discount.ts";
import { type Buyer, findFacts, findRules } from "../discounts/find-rules.ts";
import { priceBasket } from "../discounts/pricing/price-basket.ts";
import type { PricedItem, Quote } from "../discounts/pricing/rule.ts";
import { refusal } from "../orders/checkout/create-order.ts";
import { findLicenses, type WantedItem, type WantedLicense } from "./wanted-items.ts";

interface QuotedPurchase {
  buyer: Buyer;
  /** As the buyer typed it; null for none. */
  code: string | null;
  currency: string;
  now: Date;
}

/** Prices licenses at today's prices, less what discounts take off: what a checkout of them charges. */
export async function priceItems(
  db: Queryable,
  items: readonly PricedItem[],
  { buyer, code: typed, currency, now }: QuotedPurchase,
): Promise<Quote> {
  const code = typed === null ? null : normalCode(typed);
  const rules = await findRules(db, { items, code, now });
  return priceBasket(items, rules, await findFacts(db, { items, rules, buyer, code, currency, now }));
}

export const pricedItem = (
  license: Pick<WantedLicense, "beat_id" | "producer_id" | "license_type" | "amount_cents">,
): PricedItem => ({
  beatId: license.beat_id,
  producerId: license.producer_id,
  licenseType: license.license_type,
  priceCents: license.amount_cents,
});

/** A quote with what the licenses are called. */
export interface NamedQuote {
  quote: Quote;
  currency: string;
  /** In the order of the quote's items. */
  licenses: Omit<WantedLicense, "order_id">[];
}

/** Quotes a purchase, and holds nothing. Throws 404 or 409 naming the first license that cannot be had. */
export async function quotePurchase(
  db: Queryable,
  wanted: readonly WantedItem[],
  purchase: QuotedPurchase,
): Promise<NamedQuote> {
  const { buyer, currency, now } = purchase;
  const { userId } = buyer;
  const found = new Map((await findLicenses(db, { wanted, userId, now })).map((one) => [one.beat_id, one]));
  const licenses = [];
  for (const { beatId, licenseType } of wanted) {
    const license = found.get(beatId);
    if (license === undefined) throw await refusal(db, { userId, beatId, licenseType }, { currency, now });
    licenses.push(license);
  }
  return { quote: await priceItems(db, licenses.map(pricedItem), purchase), currency, licenses };
}
