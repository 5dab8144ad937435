import { loopSeconds } from "@beatmarket/audio/synthesizer/samples.ts";
import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";
import type { Logger } from "pino";
import type { Queryable } from "../database/connect.ts";
import { fieldDefaults } from "../resources/catalogue-import/fields/plain-fields.ts";
import { eraseMails } from "../resources/mails/outbox.ts";
import { placeOrder } from "../resources/orders/checkout/place-order.ts";
import type { CheckoutDependencies } from "../resources/orders/checkout.ts";
import { Sandbox } from "../resources/orders/payments/sandbox/sandbox.ts";
import { requestRefund } from "../resources/orders/refunds/request-refund.ts";
import type { DemoBeat } from "./catalogue.ts";

/** The parts for placing the demo's orders. */
export interface TradeTerms
  extends Pick<CheckoutDependencies, "currency" | "commissionBasisPoints" | "seller" | "publicUrl" | "termsVersion"> {
  logger: Logger;
}

const dayMs = 86_400_000;

type OwnBeat = Omit<DemoBeat, "producer">;

/** The beats that the demo account sells itself, oldest first. */
export const ownBeats = (nowMs: number): OwnBeat[] => {
  const dated = (
    daysAgo: number,
    fields: Pick<OwnBeat, "title" | "genre" | "tempo" | "key" | "tags" | "description">,
  ) => ({
    ...fieldDefaults,
    ...fields,
    duration_seconds: Math.round(loopSeconds(fields.tempo)),
    price_cents: 2490,
    premium_price_cents: 4990,
    unlimited_price_cents: 9990,
    exclusive_price_cents: 39_990,
    play_count: daysAgo * 7,
    download_count: 0,
    created_at: new Date(nowMs - daysAgo * dayMs),
  });
  return [
    dated(120, {
      title: "Harbour Lights",
      genre: "Lo-Fi",
      tempo: 82,
      key: "D minor",
      tags: ["lo-fi", "warm", "rhodes"],
      description: "Warm Lo-Fi in D minor at 82 BPM, a beat of the demo account.",
    }),
    dated(60, {
      title: "Second Wind",
      genre: "House",
      tempo: 124,
      key: "A minor",
      tags: ["house", "bright", "organ"],
      description: "Bright House in A minor at 124 BPM, a beat of the demo account.",
    }),
  ];
};

interface Purchase {
  daysAgo: number;
  license: LicenseType;
  method?: string;
  /** The refunded amount in cents, or "all". */
  refund?: number | "all";
}

/** `beat` is the index of a beat of the demo, from the oldest one on. */
const purchases: (Purchase & { beat: number })[] = [
  { beat: 11, license: "basic", daysAgo: 34 },
  { beat: 42, license: "premium", daysAgo: 21, refund: "all" },
  { beat: 97, license: "unlimited", daysAgo: 12 },
  { beat: 64, license: "basic", daysAgo: 6, method: "pm_card_visa_chargeDeclinedInsufficientFunds" },
  { beat: 64, license: "premium", daysAgo: 6 },
];

/** `beatIndex` is the index of a beat of the demo account, and `buyer` the index of a producer of the demo. */
const sales: (Purchase & { beatIndex: number; buyer: number })[] = [
  { beatIndex: 0, buyer: 3, license: "basic", daysAgo: 48 },
  { beatIndex: 0, buyer: 1, license: "premium", daysAgo: 29 },
  { beatIndex: 1, buyer: 20, license: "basic", daysAgo: 17, refund: "all" },
  { beatIndex: 1, buyer: 7, license: "unlimited", daysAgo: 9, refund: 2000 },
  { beatIndex: 0, buyer: 26, license: "basic", daysAgo: 2 },
];

interface Traders {
  accountId: number;
  /** The demo's beats, oldest first. */
  beatIds: readonly number[];
  ownBeatIds: readonly number[];
  producerIds: readonly number[];
}

/**
 * Places orders of the demo account, and orders of its beats by buyers, in the order of their times. The orders are
 * paid in the sandbox, recorded in the ledger, and refunded if they have a `refund`.
 */
export async function placeDemoOrders(
  transaction: Queryable,
  { accountId, beatIds, ownBeatIds, producerIds }: Traders,
  { nowMs, terms }: { nowMs: number; terms: TradeTerms },
): Promise<void> {
  const orders = [
    ...purchases.map((each) => ({ ...each, userId: accountId, beatId: beatIds[each.beat] ?? 0 })),
    ...sales.map((each) => ({
      ...each,
      userId: producerIds[each.buyer] ?? 0,
      beatId: ownBeatIds[each.beatIndex] ?? 0,
    })),
  ].sort((a, b) => b.daysAgo - a.daysAgo);
  for (const { userId, beatId, license, daysAgo, method = "pm_card_visa", refund } of orders) {
    const shop = shopAt(transaction, nowMs - daysAgo * dayMs, terms);
    const request = { userId, beatId, licenseType: license, paymentMethod: method, run: null, requestId: "demo" };
    const order = await placeOrder(shop, request);
    if (refund === undefined) continue;
    const later = shopAt(transaction, nowMs - (daysAgo - 1) * dayMs, terms);
    await requestRefund(later, order.id, { amountCents: refund === "all" ? null : refund, origin: "operator" });
  }
  // The account gets no mails about orders of the past.
  await eraseMails(transaction, accountId);
}

const shopAt = (transaction: Queryable, atMs: number, { logger, ...terms }: TradeTerms): CheckoutDependencies => ({
  ...terms,
  db: transaction,
  clock: { nowMs: () => atMs, monotonicMs: () => 0 },
  log: logger,
  payments: [new Sandbox(transaction)],
});
