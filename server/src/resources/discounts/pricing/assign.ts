import { covers, openCents, ownCents } from "./eligibility.ts";
import type { Facts, PricedItem, Rule } from "./rule.ts";

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
