import type { FacetCount } from "../../../api/catalogue.ts";
import { t } from "../../../api/locale.ts";
import { moneyText } from "../../../display/beats/money.ts";

/** A value of a facet, as the parameter's text and as a label. */
export interface FacetValue {
  value: string;
  label: string;
  count: number;
}

/** The values of `genre`, `key` and `tag`. Chosen values without remaining beats come first. */
export function facetValues(counts: readonly FacetCount[], selectedValues: readonly string[]): FacetValue[] {
  const texts = counts.map(({ value, count }) => {
    if (typeof value === "object") return { value: String(value.id), label: value.name, count };
    if (value === "") return { value: "unknown", label: t("market.unknown"), count };
    return { value: String(value), label: String(value), count };
  });
  const missingValues = selectedValues.filter((value) => !texts.some((each) => each.value === value));
  return [...missingValues.map((value) => ({ value, label: value, count: 0 })), ...texts];
}

/** The text of a range: "120 to 140", "from 120", "up to 140". Null if both ends are undefined. */
function rangeText<Value>(low: Value | undefined, high: Value | undefined, words: (value: Value) => string) {
  if (low !== undefined && high !== undefined)
    return low === high ? words(low) : t("market.rangeBetween", { low: words(low), high: words(high) });
  if (low !== undefined) return t("market.rangeFrom", { low: words(low) });
  return high === undefined ? null : t("market.rangeUpTo", { high: words(high) });
}

/** A range of tempi: "120 to 140 BPM". */
export const tempoText = (low: number | undefined, high: number | undefined): string | null => {
  const range = rangeText(low, high, String);
  return range === null ? null : t("market.bpmRange", { range });
};

/** A range of prices: "$10.00 to $29.90". */
export const priceText = (low: number | undefined, high: number | undefined, currency: string): string | null =>
  rangeText(low, high, (price) => moneyText(price, currency));

/**
 * Reads a typed number, which may have a comma as in "29,90". Cuts decimals beyond `decimals`, and limits the number to
 * `limit`. Undefined for any other text, and for a number below 0, or below 1 if `decimals` is 0.
 */
export function numberIn(typed: string, decimals: number, limit: number): number | undefined {
  const number = Number(typed.trim().replace(",", "."));
  if (typed.trim() === "" || !Number.isFinite(number) || number < (decimals === 0 ? 1 : 0)) return undefined;
  return Math.min(limit, Math.floor(number * 10 ** decimals + 1e-6) / 10 ** decimals);
}
