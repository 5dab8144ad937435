import type { LicenseType } from "../../beats/licensing/licenses.ts";

// What the pricing function reads and returns. Money is in integer cents of one currency.

export const effectKinds = ["percent", "amount", "pack", "ownership"] as const;
export type EffectKind = (typeof effectKinds)[number];

/** `pack`: each `size` licenses cost as much as the `paid` dearest of them. `ownership`: what was paid for smaller licenses counts. */
export type Effect =
  | { kind: "percent"; percent: number }
  | { kind: "amount"; amountCents: number }
  | { kind: "pack"; size: number; paid: number }
  | { kind: "ownership" };

/** A discount of a producer. */
export interface Rule {
  id: number;
  producerId: number;
  name: string;
  /** In upper case; null for one that applies without a code. */
  code: string | null;
  effect: Effect;
  fromMs: number | null;
  untilMs: number | null;
  /** Whether its producer has ended it. */
  isEnded: boolean;
  maxUses: number | null;
  maxUsesPerBuyer: number | null;
  /** Null for all. */
  beatIds: readonly number[] | null;
  licenseTypes: readonly LicenseType[] | null;
}

/** A license of a basket. A beat is there once. */
export interface PricedItem {
  beatId: number;
  producerId: number;
  licenseType: LicenseType;
  priceCents: number;
}

/** What is known of a purchase. */
export interface Facts {
  nowMs: number;
  currency: string;
  /** What the buyer typed, in upper case; null for nothing. */
  code: string | null;
  /** Paid checkouts that a rule took something off, by the rule's id. `byBuyer` is null while nobody knows who buys. */
  uses: Readonly<Record<number, { total: number; byBuyer: number | null }>>;
  /** What the buyer has paid for licenses of the beats, without what was refunded; null while nobody knows who buys. */
  paid: readonly { beatId: number; licenseType: LicenseType; cents: number }[] | null;
}

export interface ItemPrice extends PricedItem {
  discountCents: number;
  /** What is to be paid. */
  amountCents: number;
  /** The rule that takes the discount off; null for none. */
  ruleId: number | null;
}

export interface TriedRule {
  /** Null for a code that no rule has. */
  rule: Rule | null;
  code: string | null;
  applied: boolean;
  /** A sentence. */
  reason: string;
  /** What it takes off. */
  discountCents: number;
}

export interface Quote {
  items: ItemPrice[];
  totalCents: number;
  /** In the order of the ids; the code that no rule has is last. */
  rules: TriedRule[];
  /** Why the code cannot be used at all; null if it can, or if there is none. */
  codeProblem: string | null;
}
