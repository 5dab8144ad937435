import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Effect, Facts, PricedItem, Rule } from "../../src/resources/discounts/discount.ts";
import { priceBasket } from "../../src/resources/discounts/pricing/price-basket.ts";

/** A basket as the Python program writes it. */
interface ForeignBasket {
  now: number;
  code: string | null;
  items: { beat: number; producer: number; type: PricedItem["licenseType"]; price: number }[];
  rules: ForeignRule[];
  uses: Record<string, { total: number; by_buyer: number | null }>;
  paid: { beat: number; type: PricedItem["licenseType"]; cents: number }[] | null;
}

interface ForeignRule {
  id: number;
  producer: number;
  code: string | null;
  kind: Effect["kind"];
  from: number | null;
  until: number | null;
  ended: boolean;
  max_uses: number | null;
  max_uses_per_buyer: number | null;
  beats: number[] | null;
  types: PricedItem["licenseType"][] | null;
  percent: number;
  amount: number;
  pack_size: number;
  pack_paid: number;
}

const effectOf = (rule: ForeignRule): Effect => {
  switch (rule.kind) {
    case "percent":
      return { kind: "percent", percent: rule.percent };
    case "amount":
      return { kind: "amount", amountCents: rule.amount };
    case "pack":
      return { kind: "pack", size: rule.pack_size, paid: rule.pack_paid };
    case "ownership":
      return { kind: "ownership" };
  }
};

const ruleOf = (rule: ForeignRule): Rule => ({
  id: rule.id,
  producerId: rule.producer,
  name: `Rule ${rule.id}`,
  code: rule.code,
  effect: effectOf(rule),
  fromMs: rule.from,
  untilMs: rule.until,
  isEnded: rule.ended,
  maxUses: rule.max_uses,
  maxUsesPerBuyer: rule.max_uses_per_buyer,
  beatIds: rule.beats,
  licenseTypes: rule.types,
});

const factsOf = ({ now, code, uses, paid }: ForeignBasket): Facts => ({
  nowMs: now,
  currency: "USD",
  code,
  uses: Object.fromEntries(Object.entries(uses).map(([id, { total, by_buyer }]) => [id, { total, byBuyer: by_buyer }])),
  paid: paid?.map(({ beat, type, cents }) => ({ beatId: beat, licenseType: type, cents })) ?? null,
});

export interface Agreement {
  baskets: number;
  /** The number of baskets with a discount. */
  discounted: number;
  /** The first baskets for which the two programs differ, at most ten. */
  differences: string[];
}

/**
 * Compares the prices of random baskets by brute_force.py with the pricing function: the total, and each license's
 * discount.
 */
export async function compareWithBruteForce(count: number, seed: number): Promise<Agreement> {
  const child = spawn("python3", [join(import.meta.dirname, "brute_force.py"), String(count), String(seed)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const agreement: Agreement = { baskets: 0, discounted: 0, differences: [] };
  for await (const line of createInterface({ input: child.stdout })) {
    // `ways`: each list of the items' discounts that gives the lowest total. The pricing function must return one.
    const { basket, total, ways } = JSON.parse(line) as { basket: ForeignBasket; total: number; ways: number[][] };
    const items = basket.items.map(({ beat, producer, type, price }) => ({
      beatId: beat,
      producerId: producer,
      licenseType: type,
      priceCents: price,
    }));
    const quote = priceBasket(items, basket.rules.map(ruleOf), factsOf(basket));
    const discounts = quote.items.map(({ discountCents }) => discountCents);
    agreement.baskets++;
    if (discounts.some((cents) => cents > 0)) agreement.discounted++;
    const agrees = quote.totalCents === total && ways.some((way) => way.join() === discounts.join());
    if (!agrees && agreement.differences.length < 10)
      agreement.differences.push(`${line} but ${quote.totalCents}: ${discounts.join()}`);
  }
  const [status] = (await closed) as [number | null];
  if (status !== 0) throw new Error(`brute_force.py ended with ${status}.`);
  return agreement;
}
