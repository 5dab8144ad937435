const decimal = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d{1,3})?$/i;
const grouped = /^\d{1,3}([ ,.'’_\u00a0\u202f]\d{3})+$/;
const money = /^[^\d.,+-]{0,4}\s?(\d{1,9})(?:[.,](\d{1,2})\d*)?\s?[^\d.,+-]{0,4}$/;

/** Parses a number with a decimal point or comma; null if it is not one. */
export function parseDecimal(text: string): number | null {
  const given = text.trim();
  if (!decimal.test(given)) return null;
  const value = Number(given.replace(",", "."));
  return Number.isFinite(value) ? value : null;
}

/** Parses a count, 0 or more, with or without thousands separators; 12.0 is 12. Null if it is not one. */
export function parseCount(text: string): number | null {
  const given = text.trim();
  const value = grouped.test(given) ? Number(given.replace(/\D/g, "")) : parseDecimal(given);
  return value !== null && Number.isInteger(value) && value >= 0 && Number.isSafeInteger(value) ? value : null;
}

/** Parses an amount in cents or whole units (29.90, $29.9, 29,90 €) into cents; null if it is not one. Pure. */
export function parsePriceCents(text: string, unit: "cents" | "units"): number | null {
  if (unit === "cents") return parseCount(text);
  const [, whole, fraction = ""] = money.exec(text.trim()) ?? [];
  return whole === undefined ? null : Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
}
