import { sharesOf } from "@beatmarket/foundation/shares.ts";
import { formatAmount } from "@beatmarket/foundation/text/money.ts";
import type { Facts, ItemPrice, PricedItem, Quote, Rule, QuotedRule } from "../discount.ts";
import { type Assignment, bestAssignment, openCents, ownCents, unusable } from "./assign.ts";

/**
 * Prices a basket: the price of each license, and why each rule applied or not. Pure: the same arguments give the same
 * quote, in any order of items and rules. A license gets at most one discount, and the buyer gets the assignment with
 * the lowest total (docs/discounts.md, How the price is found).
 */
export function priceBasket(items: readonly PricedItem[], rules: readonly Rule[], facts: Facts): Quote {
  const tried = rules
    .filter(({ code }) => code === null || code === facts.code)
    .toSorted((one, other) => one.id - other.id)
    .map((rule) => ({ rule, problem: unusable(rule, items, facts) }));
  const usable = tried.filter(({ problem }) => problem === null).map(({ rule }) => rule);
  const assignment = new Map(
    [...new Set(items.map(({ producerId }) => producerId))].flatMap((producer) => [
      ...bestAssignment(
        items.filter(({ producerId }) => producerId === producer),
        usable.filter(({ producerId }) => producerId === producer),
        facts,
      ),
    ]),
  );
  const priced = takeOff(items, assignment, facts);
  const outcomes = tried.map(({ rule, problem }) => outcomeOf(rule, problem, priced, facts.currency));
  const unknown = unknownCode(tried, facts);
  return {
    items: priced,
    totalCents: priced.reduce((sum, { amountCents }) => sum + amountCents, 0),
    rules: [...outcomes, ...unknown],
    codeProblem: codeProblem(tried, unknown, facts),
  };
}

/** The licenses in their order, each with its share of the reduction by its rule. */
function takeOff(items: readonly PricedItem[], assignment: Assignment, facts: Facts): ItemPrice[] {
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
 * The shares by beat. A reduction of several licenses is divided in proportion to their prices, so that each license
 * can be refunded separately.
 */
function sharesOfRule(rule: Rule, members: readonly PricedItem[], facts: Facts): [beatId: number, cents: number][] {
  const { effect } = rule;
  if (effect.kind === "percent" || effect.kind === "ownership")
    return members.map((item) => [item.beatId, ownCents(rule, item, facts)]);
  if (effect.kind === "amount") {
    const open = members.reduce((sum, item) => sum + openCents(item), 0);
    return share(members, Math.min(effect.amountCents, open));
  }
  const { size, paid } = effect;
  const dearestFirst = members.toSorted((one, other) => openCents(other) - openCents(one) || one.beatId - other.beatId);
  const packs = Array.from({ length: members.length / size }, (_, at) =>
    dearestFirst.slice(at * size, (at + 1) * size),
  );
  return packs.flatMap((pack) =>
    share(
      pack,
      pack.slice(paid).reduce((sum, item) => sum + openCents(item), 0),
    ),
  );
}

/** By the largest remainder; of equal ones the lower id of a beat gets the cent. */
function share(members: readonly PricedItem[], cents: number): [beatId: number, cents: number][] {
  if (cents === 0) return [];
  const byId = members.toSorted((one, other) => one.beatId - other.beatId);
  const shares = sharesOf(cents, byId.map(openCents));
  return byId.map(({ beatId }, place) => [beatId, shares[place] ?? 0]);
}

function outcomeOf(rule: Rule, problem: string | null, priced: readonly ItemPrice[], currency: string): QuotedRule {
  const members = priced.filter(({ ruleId }) => ruleId === rule.id);
  const discountCents = members.reduce((sum, item) => sum + item.discountCents, 0);
  const applied = discountCents > 0;
  const licenses = members.length === 1 ? "1 license" : `${members.length} licenses`;
  const reason = applied
    ? `Takes ${formatAmount(discountCents, currency)} off ${licenses}.`
    : (problem ?? "Other discounts take as much or more off the same licenses, and each license gets one.");
  return { rule, code: rule.code, applied, reason, discountCents };
}

type Tried = readonly { rule: Rule; problem: string | null }[];

function unknownCode(tried: Tried, { code }: Facts): QuotedRule[] {
  if (code === null || tried.some(({ rule }) => rule.code === code)) return [];
  return [{ rule: null, code, applied: false, reason: "There is no discount with this code.", discountCents: 0 }];
}

/** Several producers may have the same code: it has a problem if none of their discounts can be used. */
function codeProblem(tried: Tried, [unknown]: readonly QuotedRule[], { code }: Facts): string | null {
  if (unknown !== undefined) return unknown.reason;
  const ofCode = tried.filter(({ rule }) => code !== null && rule.code === code);
  return ofCode.length > 0 && ofCode.every(({ problem }) => problem !== null) ? (ofCode[0]?.problem ?? null) : null;
}
