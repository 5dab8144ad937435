import type { LicenseType } from "@beatmarket/license-terms/license-types.ts";

/** A row of `discounts`. */
export interface Discount {
  id: number;
  user_id: number;
  name: string;
  code: string | null;
  kind: EffectKind;
  percent: number | null;
  amount_cents: number | null;
  pack_size: number | null;
  pack_paid: number | null;
  valid_from: Date | null;
  valid_until: Date | null;
  max_uses: number | null;
  max_uses_per_buyer: number | null;
  beat_ids: number[] | null;
  license_types: LicenseType[] | null;
  uses_count: number;
  created_at: Date;
  ended_at: Date | null;
}

export const discountColumns = [
  "id",
  "user_id",
  "name",
  "code",
  "kind",
  "percent",
  "amount_cents",
  "pack_size",
  "pack_paid",
  "valid_from",
  "valid_until",
  "max_uses",
  "max_uses_per_buyer",
  "beat_ids",
  "license_types",
  "uses_count",
  "created_at",
  "ended_at",
] as const;

/** `over`: the discount's `valid_until` has passed. `ended`: the producer has ended the discount. */
export const discountStates = ["scheduled", "running", "used_up", "over", "ended"] as const;

export function stateOf(discount: Discount, nowMs: number): (typeof discountStates)[number] {
  const { ended_at, valid_from, valid_until, max_uses, uses_count } = discount;
  if (ended_at !== null) return "ended";
  if (valid_until !== null && nowMs >= valid_until.getTime()) return "over";
  if (max_uses !== null && uses_count >= max_uses) return "used_up";
  return valid_from !== null && nowMs < valid_from.getTime() ? "scheduled" : "running";
}

/** The stored form of a code that a buyer types. */
export const normalCode = (text: string): string => text.trim().toUpperCase();

export const codePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{2,31}$/;

export const ruleOf = (discount: Discount): Rule => ({
  id: discount.id,
  producerId: discount.user_id,
  name: discount.name,
  code: discount.code,
  effect: effectOf(discount),
  fromMs: discount.valid_from?.getTime() ?? null,
  untilMs: discount.valid_until?.getTime() ?? null,
  isEnded: discount.ended_at !== null,
  maxUses: discount.max_uses,
  maxUsesPerBuyer: discount.max_uses_per_buyer,
  beatIds: discount.beat_ids,
  licenseTypes: discount.license_types,
});

/** The effect of a row. A constraint of the table guarantees the columns of each kind. */
function effectOf({ kind, percent, amount_cents, pack_size, pack_paid }: Discount): Effect {
  switch (kind) {
    case "percent":
      return { kind, percent: percent ?? 0 };
    case "amount":
      return { kind, amountCents: amount_cents ?? 0 };
    case "pack":
      return { kind, size: pack_size ?? 2, paid: pack_paid ?? 1 };
    case "ownership":
      return { kind };
  }
}

// The arguments and results of the pricing function. Money is in integer cents of one currency.

export const effectKinds = ["percent", "amount", "pack", "ownership"] as const;
type EffectKind = (typeof effectKinds)[number];

/**
 * `pack`: each `size` licenses cost as much as the `paid` most expensive of them. `ownership`: subtracts the amounts
 * paid for smaller licenses of the same beat.
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
  /** The code in upper case; null for a discount that applies without a code. */
  code: string | null;
  effect: Effect;
  fromMs: number | null;
  untilMs: number | null;
  /** Whether the producer has ended the discount. */
  isEnded: boolean;
  maxUses: number | null;
  maxUsesPerBuyer: number | null;
  /** Null for all beats of the producer. */
  beatIds: readonly number[] | null;
  /** Null for all types. */
  licenseTypes: readonly LicenseType[] | null;
}

/** A license of a basket. Each beat appears at most once. */
export interface PricedItem {
  beatId: number;
  producerId: number;
  licenseType: LicenseType;
  priceCents: number;
}

/** The facts of a purchase that discounts depend on. */
export interface Facts {
  nowMs: number;
  currency: string;
  /** The code that the buyer typed, in upper case; null without a code. */
  code: string | null;
  /**
   * The number of paid checkouts with a reduction by a rule, by the rule's id. `byBuyer` is null for an unknown buyer.
   */
  uses: Readonly<Record<number, { total: number; byBuyer: number | null }>>;
  /** The amounts that the buyer has paid for licenses of the beats, minus refunds; null for an unknown buyer. */
  paid: readonly { beatId: number; licenseType: LicenseType; cents: number }[] | null;
}

export interface ItemPrice extends PricedItem {
  discountCents: number;
  /** The amount to pay. */
  amountCents: number;
  /** The rule of the discount; null without a discount. */
  ruleId: number | null;
}

export interface QuotedRule {
  /** Null for an unknown code. */
  rule: Rule | null;
  code: string | null;
  applied: boolean;
  /** The reason why the rule applied or not, as a sentence. */
  reason: string;

  discountCents: number;
}

export interface Quote {
  items: ItemPrice[];
  totalCents: number;
  /** The tried rules, ordered by id. The result of an unknown code comes last. */
  rules: QuotedRule[];
  /** The reason why the code cannot be used; null for a usable code, and without a code. */
  codeProblem: string | null;
}
