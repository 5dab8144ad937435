import { isPaid, type LicenseType, licenseTypes } from "../../beats/licensing/licenses.ts";
import type { Facts, PricedItem, Rule } from "../discount.ts";

// Finds the assignment of discounts to licenses with the largest reduction, exactly, in time that grows with the number
// of licenses (docs/discounts.md, How the price is found).

type PackRule = Rule & { effect: { kind: "pack" } };
const isPack = (rule: Rule): rule is PackRule => rule.effect.kind === "pack";

/** The rule of each discounted license, by its beat. */
export type Assignment = ReadonlyMap<number, Rule>;

/** Compares by cents first; at equal cents fewer licenses with a code win. A basket has fewer licenses than this. */
const perCent = 64;
const worth = (cents: number, rule: Rule): number => cents * perCent - (rule.code === null ? 0 : 1);

/**
 * The best assignment of one producer's usable rules to that producer's licenses. Independent of the order of both:
 * ties are decided by price, beat and rule.
 */
export function bestAssignment(items: readonly PricedItem[], usable: readonly Rule[], facts: Facts): Assignment {
  const sorted = items.toSorted((one, other) => openCents(other) - openCents(one) || one.beatId - other.beatId);
  const rules = usable.toSorted((one, other) => one.id - other.id);
  const amounts = rules.filter(({ effect }) => effect.kind === "amount");
  let best: { worth: number; assignment: Assignment } = { worth: -1, assignment: new Map() };
  // An amount applies to all the licenses that it covers, or to none: each choice of amounts leaves the other licenses
  // to the remaining rules.
  for (let choice = 0; choice < 2 ** amounts.length; choice++) {
    const reduced = takeAmounts(
      sorted,
      amounts.filter((_, place) => (choice >> place) % 2 === 1),
    );
    if (reduced === null) continue;
    const rest = sorted.filter(({ beatId }) => !reduced.assignment.has(beatId));
    const others = assignRest(rest, rules, facts);
    const sum = reduced.worth + others.worth;
    if (sum > best.worth) best = { worth: sum, assignment: new Map([...reduced.assignment, ...others.assignment]) };
  }
  return best.assignment;
}

/** Null if two of the amounts cover the same license. */
function takeAmounts(items: readonly PricedItem[], amounts: readonly Rule[]) {
  const assignment = new Map<number, Rule>();
  let total = 0;
  for (const rule of amounts) {
    const covered = items.filter((item) => covers(rule, item));
    if (covered.some(({ beatId }) => assignment.has(beatId))) return null;
    for (const { beatId } of covered) assignment.set(beatId, rule);
    const open = covered.reduce((sum, item) => sum + openCents(item), 0);
    const cents = rule.effect.kind === "amount" ? Math.min(rule.effect.amountCents, open) : 0;
    total += cents * perCent - (rule.code === null ? 0 : covered.length);
  }
  return { worth: total, assignment };
}

/**
 * Packs, and rules for a single license. Goes from the most expensive license to the cheapest, with the number of
 * licenses in each open pack as the state. Among given licenses it is best to pack neighbours in price, so the last
 * licenses of each pack are free.
 */
function assignRest(items: readonly PricedItem[], rules: readonly Rule[], facts: Facts) {
  const packs = rules.filter(isPack).filter(({ effect: { size } }) => items.length >= size);
  // The state is a number whose digits are the open packs' licenses.
  const places = packs.map((_, at) => packs.slice(0, at).reduce((product, { effect }) => product * effect.size, 1));
  const states = packs.reduce((product, { effect }) => product * effect.size, 1);
  let reached = new Float64Array(states).fill(Number.NEGATIVE_INFINITY);
  reached[0] = 0;
  const steps: { from: Int32Array; by: (Rule | null)[] }[] = [];
  for (const item of items) {
    const next = new Float64Array(states).fill(Number.NEGATIVE_INFINITY);
    const step = { from: new Int32Array(states), by: new Array<Rule | null>(states).fill(null) };
    const alone = bestAlone(item, rules, facts);
    const joined = packs.flatMap((pack, at) => (covers(pack, item) ? [{ pack, place: places[at] ?? 1 }] : []));
    for (let state = 0; state < states; state++) {
      const before = reached[state] ?? Number.NEGATIVE_INFINITY;
      if (before === Number.NEGATIVE_INFINITY) continue;
      const reach = (to: number, by: Rule | null, value: number) => {
        if (before + value <= (next[to] ?? 0)) return;
        next[to] = before + value;
        step.from[to] = state;
        step.by[to] = by;
      };
      reach(state, alone.rule, alone.worth);
      for (const { pack, place } of joined) {
        const { size, paid } = pack.effect;
        const inPack = Math.floor(state / place) % size;
        const to = inPack === size - 1 ? state - inPack * place : state + place;
        reach(to, pack, worth(inPack >= paid ? openCents(item) : 0, pack));
      }
    }
    reached = next;
    steps.push(step);
  }
  const assignment = new Map<number, Rule>();
  let state = 0;
  for (let at = items.length - 1; at >= 0; at--) {
    const rule = steps[at]?.by[state] ?? null;
    const item = items[at];
    if (rule !== null && item !== undefined) assignment.set(item.beatId, rule);
    state = steps[at]?.from[state] ?? 0;
  }
  return { worth: reached[0] ?? 0, assignment };
}

/** The best rule for this license alone. */
function bestAlone(item: PricedItem, rules: readonly Rule[], facts: Facts): { rule: Rule | null; worth: number } {
  let best: { rule: Rule | null; worth: number } = { rule: null, worth: 0 };
  for (const rule of rules) {
    if (!covers(rule, item)) continue;
    const value = worth(ownCents(rule, item, facts), rule);
    if (value > best.worth) best = { rule, worth: value };
  }
  return best;
}

/** The amount that discounts may take off: the whole price, except the last cent of a license that is never free. */
export const openCents = ({ priceCents, licenseType }: PricedItem): number =>
  Math.max(0, priceCents - (isPaid(licenseType) ? 1 : 0));

const isSmaller = (one: LicenseType, other: LicenseType): boolean =>
  licenseTypes.indexOf(one) < licenseTypes.indexOf(other);

/** What the buyer has paid for smaller licenses of the same beat. */
const paidForSmaller = ({ beatId, licenseType }: PricedItem, { paid }: Facts): number =>
  (paid ?? [])
    .filter((owned) => owned.beatId === beatId && isSmaller(owned.licenseType, licenseType))
    .reduce((sum, { cents }) => sum + cents, 0);

/** Whether the rule covers the license. */
const covers = (rule: Rule, { beatId, producerId, licenseType }: PricedItem): boolean =>
  rule.producerId === producerId &&
  (rule.beatIds?.includes(beatId) ?? true) &&
  (rule.licenseTypes?.includes(licenseType) ?? true);

/** The reduction of one license by the rule, for kinds that look at one license. */
export function ownCents({ effect }: Rule, item: PricedItem, facts: Facts): number {
  switch (effect.kind) {
    case "percent":
      return Math.min(Math.floor((item.priceCents * effect.percent + 50) / 100), openCents(item));
    case "ownership":
      return Math.min(paidForSmaller(item, facts), openCents(item));
    default:
      return 0;
  }
}

const day = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

/** Why the rule cannot be used for this basket, independent of other rules: a sentence. Null if it can. */
export function unusable(rule: Rule, items: readonly PricedItem[], facts: Facts): string | null {
  return standing(rule, facts) ?? fitting(rule, items, facts);
}

/** Time, end and limits. */
function standing(rule: Rule, { nowMs, uses }: Facts): string | null {
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

function fitting(rule: Rule, items: readonly PricedItem[], facts: Facts): string | null {
  const { producerId, beatIds, licenseTypes: types, effect } = rule;
  const ofProducer = items.filter((item) => item.producerId === producerId);
  if (ofProducer.length === 0) return "It is of a producer of whom nothing is in the basket.";
  const ofBeats = ofProducer.filter(({ beatId }) => beatIds?.includes(beatId) ?? true);
  if (ofBeats.length === 0) return "It is for other beats than those in the basket.";
  const covered = ofBeats.filter((item) => covers(rule, item));
  if (covered.length === 0)
    return `It is for ${list(types ?? [])} licenses, and none of its beats is in the basket with one.`;
  if (effect.kind === "ownership" && facts.paid === null) return "It needs to know what you have bought: sign in.";
  if (effect.kind === "ownership" && covered.every((item) => paidForSmaller(item, facts) === 0))
    return "You have paid for no smaller license of these beats.";
  if (effect.kind === "pack" && covered.length < effect.size)
    return `It needs ${effect.size} licenses, and the basket has ${covered.length} that it is for.`;
  return covered.every((item) => openCents(item) === 0) ? "Nothing can be taken off these licenses." : null;
}
