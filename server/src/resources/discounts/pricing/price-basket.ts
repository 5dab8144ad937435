import { sharesOf } from "@beatmarket/foundation/shares.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import type { Facts, ItemPrice, PricedItem, Quote, QuotedRule, Rule } from "../discount.ts";
import { type Assignment, bestAssignment, problemOf, reducibleCents, reductionOfItem } from "./assign.ts";

/**
 * Prices a basket: the price of each license, and the reason why each rule applied or not. Pure: the order of items and
 * rules does not matter. A license gets at most one discount, and the buyer gets the assignment with the lowest total
 * (docs/discounts.md, How the price is found).
 */
export function priceBasket(items: readonly PricedItem[], rules: readonly Rule[], facts: Facts): Quote {
  const triedRules = rules
    .filter(({ code }) => code === null || code === facts.code)
    .toSorted((one, other) => one.id - other.id)
    .map((rule) => ({ rule, problem: problemOf(rule, items, facts) }));
  const usableRules = triedRules.filter(({ problem }) => problem === null).map(({ rule }) => rule);
  const assignment = new Map(
    [...new Set(items.map(({ producerId }) => producerId))].flatMap((producer) => [
      ...bestAssignment(
        items.filter(({ producerId }) => producerId === producer),
        usableRules.filter(({ producerId }) => producerId === producer),
        facts,
      ),
    ]),
  );
  const pricedItems = applyAssignment(items, assignment, facts);
  const outcomes = triedRules.map(({ rule, problem }) => outcomeOf(rule, problem, pricedItems, facts.currency));
  const unknown = unknownCode(triedRules, facts);
  return {
    items: pricedItems,
    totalCents: pricedItems.reduce((sum, { amountCents }) => sum + amountCents, 0),
    rules: [...outcomes, ...unknown],
    codeProblem: codeProblem(triedRules, unknown, facts),
  };
}

/** Prices the licenses, in their order: each gets a share of the reduction by its rule. */
function applyAssignment(items: readonly PricedItem[], assignment: Assignment, facts: Facts): ItemPrice[] {
  const cents = new Map<number, number>();
  for (const rule of new Set(assignment.values())) {
    const members = items.filter(({ beatId }) => assignment.get(beatId) === rule);
    for (const [beatId, share] of sharesOfRule(rule, members, facts)) cents.set(beatId, share);
  }
  return items.map((item) => {
    const discountCents = cents.get(item.beatId) ?? 0;
    return {
      ...item,
      discountCents,
      amountCents: item.priceCents - discountCents,
      ruleId: discountCents === 0 ? null : (assignment.get(item.beatId)?.id ?? null),
    };
  });
}

/**
 * The shares of a rule's reduction, by beat. A reduction of several licenses is divided in proportion to their prices,
 * so that each license can be refunded separately.
 */
function sharesOfRule(rule: Rule, members: readonly PricedItem[], facts: Facts): [beatId: number, cents: number][] {
  const { effect } = rule;
  if (effect.kind === "percent" || effect.kind === "ownership")
    return members.map((item) => [item.beatId, reductionOfItem(rule, item, facts)]);
  if (effect.kind === "amount") {
    const reducible = members.reduce((sum, item) => sum + reducibleCents(item), 0);
    return divideByPrice(members, Math.min(effect.amountCents, reducible));
  }
  // The cheapest licenses of each pack are free.
  const { size, paid: paidCount } = effect;
  const mostExpensiveFirst = members.toSorted(
    (one, other) => reducibleCents(other) - reducibleCents(one) || one.beatId - other.beatId,
  );
  const packs = Array.from({ length: members.length / size }, (_, index) =>
    mostExpensiveFirst.slice(index * size, (index + 1) * size),
  );
  return packs.flatMap((pack) =>
    divideByPrice(
      pack,
      pack.slice(paidCount).reduce((sum, item) => sum + reducibleCents(item), 0),
    ),
  );
}

/** Divides cents by the largest remainder. For equal remainders the beat with the lower id gets the cent. */
function divideByPrice(members: readonly PricedItem[], cents: number): [beatId: number, cents: number][] {
  if (cents === 0) return [];
  const byId = members.toSorted((one, other) => one.beatId - other.beatId);
  const shares = sharesOf(cents, byId.map(reducibleCents));
  return byId.map(({ beatId }, place) => [beatId, shares[place] ?? 0]);
}

function outcomeOf(
  rule: Rule,
  problem: string | null,
  pricedItems: readonly ItemPrice[],
  currency: string,
): QuotedRule {
  const members = pricedItems.filter(({ ruleId }) => ruleId === rule.id);
  const discountCents = members.reduce((sum, item) => sum + item.discountCents, 0);
  const applied = discountCents > 0;
  const licenses = members.length === 1 ? "1 license" : `${members.length} licenses`;
  const reason = applied
    ? `Takes ${formatAmount(discountCents, currency)} off ${licenses}.`
    : (problem ?? "Other discounts take as much or more off the same licenses, and each license gets one.");
  return { rule, code: rule.code, applied, reason, discountCents };
}

type TriedRules = readonly { rule: Rule; problem: string | null }[];

function unknownCode(triedRules: TriedRules, { code }: Facts): QuotedRule[] {
  if (code === null || triedRules.some(({ rule }) => rule.code === code)) return [];
  return [{ rule: null, code, applied: false, reason: "There is no discount with this code.", discountCents: 0 }];
}

/**
 * The reason why the code cannot be used; null if a discount with the code can be used. Several producers may have one
 * code.
 */
function codeProblem(triedRules: TriedRules, [unknown]: readonly QuotedRule[], { code }: Facts): string | null {
  if (unknown !== undefined) return unknown.reason;
  const ofCode = triedRules.filter(({ rule }) => code !== null && rule.code === code);
  return ofCode.length > 0 && ofCode.every(({ problem }) => problem !== null) ? (ofCode[0]?.problem ?? null) : null;
}
