import { type LicenseType, licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import { isPaid } from "../../beats/licensing/licenses.ts";
import type { Facts, PricedItem, Rule } from "../discount.ts";

// Finds the assignment of discounts to licenses that has the largest reduction, not an approximation of it. For the
// same discounts, the time grows linearly with the number of licenses (docs/discounts.md, How the price is found).

type PackRule = Rule & { effect: { kind: "pack" } };
const isPack = (rule: Rule): rule is PackRule => rule.effect.kind === "pack";

/** The rule of each discounted license, by its beat. */
export type Assignment = ReadonlyMap<number, Rule>;

/**
 * A basket has at most 50 licenses, so a cent outweighs all its licenses with a code. For equal cents, the assignment
 * in which fewer licenses use a code wins.
 */
const weightPerCent = 64;
const worth = (cents: number, rule: Rule): number => cents * weightPerCent - (rule.code === null ? 0 : 1);

/**
 * The best assignment of one producer's usable rules to that producer's licenses. Does not depend on the order of rules
 * and licenses: price, beat and rule decide ties.
 */
export function bestAssignment(items: readonly PricedItem[], usableRules: readonly Rule[], facts: Facts): Assignment {
  const sorted = items.toSorted(
    (one, other) => reducibleCents(other) - reducibleCents(one) || one.beatId - other.beatId,
  );
  const rules = usableRules.toSorted((one, other) => one.id - other.id);
  const amounts = rules.filter(({ effect }) => effect.kind === "amount");
  let best: { worth: number; assignment: Assignment } = { worth: -1, assignment: new Map() };
  // An amount applies to all licenses that it covers, or to none. So every subset of the amounts is tried, and the
  // other rules apply to the remaining licenses.
  for (let choice = 0; choice < 2 ** amounts.length; choice++) {
    const amountChoice = takeAmounts(
      sorted,
      amounts.filter((_, place) => (choice >> place) % 2 === 1),
    );
    if (amountChoice === null) continue;
    const remainingItems = sorted.filter(({ beatId }) => !amountChoice.assignment.has(beatId));
    const restChoice = assignRest(remainingItems, rules, facts);
    const sum = amountChoice.worth + restChoice.worth;
    if (sum > best.worth)
      best = { worth: sum, assignment: new Map([...amountChoice.assignment, ...restChoice.assignment]) };
  }
  return best.assignment;
}

/** Applies discounts of kind `amount`. Null if two of them cover the same license. */
function takeAmounts(items: readonly PricedItem[], amounts: readonly Rule[]) {
  const assignment = new Map<number, Rule>();
  let total = 0;
  for (const rule of amounts) {
    const coveredItems = items.filter((item) => covers(rule, item));
    if (coveredItems.some(({ beatId }) => assignment.has(beatId))) return null;
    for (const { beatId } of coveredItems) assignment.set(beatId, rule);
    const reducibleTotal = coveredItems.reduce((sum, item) => sum + reducibleCents(item), 0);
    const cents = rule.effect.kind === "amount" ? Math.min(rule.effect.amountCents, reducibleTotal) : 0;
    total += cents * weightPerCent - (rule.code === null ? 0 : coveredItems.length);
  }
  return { worth: total, assignment };
}

/**
 * Applies packs and rules for a single license, by dynamic programming from the most expensive license to the cheapest.
 * The state is the number of licenses in each incomplete pack. The best packs have neighbours in price, and the last
 * licenses of each pack are free.
 */
function assignRest(items: readonly PricedItem[], rules: readonly Rule[], facts: Facts) {
  const packs = rules.filter(isPack).filter(({ effect: { size } }) => items.length >= size);
  // The digits of the state are the numbers of licenses in incomplete packs.
  const placeValues = packs.map((_, position) =>
    packs.slice(0, position).reduce((product, { effect }) => product * effect.size, 1),
  );
  const stateCount = packs.reduce((product, { effect }) => product * effect.size, 1);
  let bestWorths = new Float64Array(stateCount).fill(Number.NEGATIVE_INFINITY);
  bestWorths[0] = 0;
  const steps: { from: Int32Array; by: (Rule | null)[] }[] = [];
  for (const item of items) {
    const next = new Float64Array(stateCount).fill(Number.NEGATIVE_INFINITY);
    const step = { from: new Int32Array(stateCount), by: new Array<Rule | null>(stateCount).fill(null) };
    const single = bestSingleRule(item, rules, facts);
    const packsOfItem = packs.flatMap((pack, position) =>
      covers(pack, item) ? [{ pack, placeValue: placeValues[position] ?? 1 }] : [],
    );
    for (let state = 0; state < stateCount; state++) {
      const before = bestWorths[state] ?? Number.NEGATIVE_INFINITY;
      if (before === Number.NEGATIVE_INFINITY) continue;
      const enter = (to: number, rule: Rule | null, value: number) => {
        if (before + value <= (next[to] ?? 0)) return;
        next[to] = before + value;
        step.from[to] = state;
        step.by[to] = rule;
      };
      enter(state, single.rule, single.worth);
      for (const { pack, placeValue } of packsOfItem) {
        const { size, paid } = pack.effect;
        const inPack = Math.floor(state / placeValue) % size;
        const to = inPack === size - 1 ? state - inPack * placeValue : state + placeValue;
        enter(to, pack, worth(inPack >= paid ? reducibleCents(item) : 0, pack));
      }
    }
    bestWorths = next;
    steps.push(step);
  }
  const assignment = new Map<number, Rule>();
  let state = 0;
  for (let index = items.length - 1; index >= 0; index--) {
    const rule = steps[index]?.by[state] ?? null;
    const item = items[index];
    if (rule !== null && item !== undefined) assignment.set(item.beatId, rule);
    state = steps[index]?.from[state] ?? 0;
  }
  return { worth: bestWorths[0] ?? 0, assignment };
}

/** The best rule that applies to a single license. */
function bestSingleRule(item: PricedItem, rules: readonly Rule[], facts: Facts): { rule: Rule | null; worth: number } {
  let best: { rule: Rule | null; worth: number } = { rule: null, worth: 0 };
  for (const rule of rules) {
    if (!covers(rule, item)) continue;
    const value = worth(reductionOfItem(rule, item, facts), rule);
    if (value > best.worth) best = { rule, worth: value };
  }
  return best;
}

/** The amount that discounts may take off: the whole price, except the last cent of a license that is never free. */
export const reducibleCents = ({ priceCents, licenseType }: PricedItem): number =>
  Math.max(0, priceCents - (isPaid(licenseType) ? 1 : 0));

const isSmaller = (one: LicenseType, other: LicenseType): boolean =>
  licenseTypes.indexOf(one) < licenseTypes.indexOf(other);

/** The amount that the buyer has paid for smaller licenses of the same beat. */
const paidForSmaller = ({ beatId, licenseType }: PricedItem, { paid }: Facts): number =>
  (paid ?? [])
    .filter((owned) => owned.beatId === beatId && isSmaller(owned.licenseType, licenseType))
    .reduce((sum, { cents }) => sum + cents, 0);

/** Whether the rule covers the license. */
const covers = (rule: Rule, { beatId, producerId, licenseType }: PricedItem): boolean =>
  rule.producerId === producerId &&
  (rule.beatIds?.includes(beatId) ?? true) &&
  (rule.licenseTypes?.includes(licenseType) ?? true);

/** The reduction of one license by a rule; 0 for rules that depend on several licenses. */
export function reductionOfItem({ effect }: Rule, item: PricedItem, facts: Facts): number {
  switch (effect.kind) {
    case "percent":
      return Math.min(Math.floor((item.priceCents * effect.percent + 50) / 100), reducibleCents(item));
    case "ownership":
      return Math.min(paidForSmaller(item, facts), reducibleCents(item));
    default:
      return 0;
  }
}

const day = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

/** The reason why a rule cannot be used for a basket, independent of other rules, as a sentence; null if it can. */
export function problemOf(rule: Rule, items: readonly PricedItem[], facts: Facts): string | null {
  return generalProblem(rule, facts) ?? basketProblem(rule, items, facts);
}

/** The reason that does not depend on the basket: time, end and limits. */
function generalProblem(rule: Rule, { nowMs, uses }: Facts): string | null {
  const { fromMs, untilMs, isEnded, maxUses, maxUsesPerBuyer } = rule;
  if (isEnded) return "Its producer has ended it.";
  if (fromMs !== null && nowMs < fromMs) return `It begins on ${day(fromMs)}.`;
  if (untilMs !== null && nowMs >= untilMs) return `It ended on ${day(untilMs)}.`;
  const { total = 0, byBuyer = 0 } = uses[rule.id] ?? {};
  if (maxUses !== null && total >= maxUses)
    return maxUses === 1
      ? "It is used up: it was for one purchase."
      : `It is used up: it was for ${maxUses} purchases.`;
  if (maxUsesPerBuyer === null) return null;
  if (byBuyer === null) return "Each buyer may use it a limited number of times: say your e-mail address.";
  return byBuyer >= maxUsesPerBuyer ? `You have used it ${times(byBuyer)}, which is all that one buyer may.` : null;
}

const list = (types: readonly LicenseType[]): string =>
  new Intl.ListFormat("en-GB", { type: "disjunction" }).format(types);

function basketProblem(rule: Rule, items: readonly PricedItem[], facts: Facts): string | null {
  const { producerId, beatIds, licenseTypes: types, effect } = rule;
  const ofProducer = items.filter((item) => item.producerId === producerId);
  if (ofProducer.length === 0) return "It belongs to a producer of whom nothing is in the basket.";
  const ofBeats = ofProducer.filter(({ beatId }) => beatIds?.includes(beatId) ?? true);
  if (ofBeats.length === 0) return "It is for other beats than those in the basket.";
  const coveredItems = ofBeats.filter((item) => covers(rule, item));
  if (coveredItems.length === 0)
    return `It is for ${list(types ?? [])} licenses, and none of its beats is in the basket with one.`;
  if (effect.kind === "ownership" && facts.paid === null) return "It needs to know what you have bought: sign in.";
  if (effect.kind === "ownership" && coveredItems.every((item) => paidForSmaller(item, facts) === 0))
    return "You have paid for no smaller license of these beats.";
  if (effect.kind === "pack" && coveredItems.length < effect.size)
    return `It needs ${effect.size} licenses, and the basket has ${coveredItems.length} that it is for.`;
  return coveredItems.every((item) => reducibleCents(item) === 0) ? "Nothing can be taken off these licenses." : null;
}
