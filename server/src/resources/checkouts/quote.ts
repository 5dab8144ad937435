import type { Queryable } from "../../database/connect.ts";
import { normalCode, type PricedItem, type Quote } from "../discounts/discount.ts";
import { type Buyer, findFacts, findRules } from "../discounts/find-rules.ts";
import { priceBasket } from "../discounts/pricing/price-basket.ts";
import { refusal } from "../orders/checkout/create-order.ts";
import type { CheckoutItem } from "./checkout.ts";
import { asUpgrade, findCredits, findLicenses, type RequestedItem, type RequestedLicense } from "./upgrade-items.ts";

interface QuotedPurchase {
  buyer: Buyer;
  /** The discount code as the buyer typed it; null without a code. */
  code: string | null;
  currency: string;
  now: Date;
}

/** Prices licenses: current prices minus discounts, as a checkout would charge them. */
export async function priceItems(
  db: Queryable,
  licenses: readonly ItemToPrice[],
  { buyer, code: typedCode, currency, now }: QuotedPurchase,
): Promise<Quote> {
  const code = typedCode === null ? null : normalCode(typedCode);
  const items = licenses.filter(({ upgrades = null }) => upgrades === null);
  const rules = await findRules(db, { items, code, now });
  const quote = priceBasket(items, rules, await findFacts(db, { items, rules, buyer, code, currency, now }));
  return items.length === licenses.length ? quote : withUpgrades(quote, licenses);
}

/** A license that can be bought, at its price or at the difference of an upgrade. */
interface ItemToPrice extends PricedItem {
  upgrades?: string | null;
}

/** Adds the upgrades to a quote. An upgrade costs the difference, without discounts. */
function withUpgrades(quote: Quote, licenses: readonly ItemToPrice[]): Quote {
  const quotedItems = new Map(quote.items.map((item) => [item.beatId, item]));
  const items = licenses.map(
    (item) => quotedItems.get(item.beatId) ?? { ...item, discountCents: 0, amountCents: item.priceCents, ruleId: null },
  );
  return { ...quote, items, totalCents: items.reduce((sum, { amountCents }) => sum + amountCents, 0) };
}

export const pricedItem = (
  license: Pick<RequestedLicense, "beat_id" | "producer_id" | "license_type" | "amount_cents"> & {
    upgrades_license: string | null;
  },
): ItemToPrice => ({
  beatId: license.beat_id,
  producerId: license.producer_id,
  licenseType: license.license_type,
  priceCents: license.amount_cents,
  upgrades: license.upgrades_license,
});

/** A quote with the names of the licenses. */
export interface NamedQuote {
  quote: Quote;
  currency: string;
  /** In the order of the quote's items. */
  licenses: QuotedLicense[];
}

type QuotedLicense = Omit<RequestedLicense, "order_id"> & Pick<CheckoutItem, "upgrades_license" | "credit_cents">;

/** Quotes a purchase without holding licenses. Throws 404 or 409 naming the first license that cannot be bought. */
export async function quotePurchase(
  db: Queryable,
  requestedItems: readonly RequestedItem[],
  purchase: QuotedPurchase,
): Promise<NamedQuote> {
  const { buyer, currency, now } = purchase;
  const { userId } = buyer;
  const credits = await findCredits(db, requestedItems, { userId, currency, now, lock: false });
  const licensesByBeat = new Map(
    (await findLicenses(db, { requestedItems, userId, now })).map((license) => [license.beat_id, license]),
  );
  const licenses: QuotedLicense[] = [];
  for (const { beatId, licenseType } of requestedItems) {
    const license = licensesByBeat.get(beatId);
    if (license === undefined) throw await refusal(db, { userId, beatId, licenseType }, { currency, now });
    licenses.push(asUpgrade(license, credits));
  }
  return { quote: await priceItems(db, licenses.map(pricedItem), purchase), currency, licenses };
}
