import { isPaid, type LicenseType, licenseTypes } from "../../beats/licensing/licenses.ts";
import type { Facts, PricedItem, Rule } from "./rule.ts";

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
export const covers = (rule: Rule, { beatId, producerId, licenseType }: PricedItem): boolean =>
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
