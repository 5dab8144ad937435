import type { LicenseType } from "../../beats/licensing/licenses.ts";

// The arguments and results of the pricing function. Money is in integer cents of one currency.

export const effectKinds = ["percent", "amount", "pack", "ownership"] as const;
export type EffectKind = (typeof effectKinds)[number];

/**
 * `pack`: each `size` licenses cost as much as the `paid` most expensive of them. `ownership`: the amounts paid for
 * smaller licenses count.
 */
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

/** A license of a basket. Each beat appears at most once. */
export interface PricedItem {
  beatId: number;
  producerId: number;
  licenseType: LicenseType;
  priceCents: number;
}

/** The known facts of a purchase. */
export interface Facts {
  nowMs: number;
  currency: string;
  /** The code that the buyer typed, in upper case; null without one. */
  code: string | null;
  /**
   * The number of paid checkouts with a reduction by a rule, by the rule's id. `byBuyer` is null while the buyer is
   * unknown.
   */
  uses: Readonly<Record<number, { total: number; byBuyer: number | null }>>;
  /** The amounts that the buyer has paid for licenses of the beats, minus refunds; null while the buyer is unknown. */
  paid: readonly { beatId: number; licenseType: LicenseType; cents: number }[] | null;
}

export interface ItemPrice extends PricedItem {
  discountCents: number;
  /** The amount to pay. */
  amountCents: number;
  /** The rule of the discount; null without one. */
  ruleId: number | null;
}

export interface TriedRule {
  /** Null for an unknown code. */
  rule: Rule | null;
  code: string | null;
  applied: boolean;
  /** A sentence. */
  reason: string;
  /** The reduction. */
  discountCents: number;
}

export interface Quote {
  items: ItemPrice[];
  totalCents: number;
  /** Ordered by id; an unknown code comes last. */
  rules: TriedRule[];
  /** Why the code cannot be used at all; null if it can, or if there is none. */
  codeProblem: string | null;
}
