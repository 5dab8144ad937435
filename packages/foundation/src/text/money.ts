/** Formats integer cents with two decimals, for people and files: -2990 → -29.90. */
export function formatCents(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Formats cents with their currency (ISO 4217): 29.90 USD. */
export const formatAmount = (cents: number, currency: string): string => `${formatCents(cents)} ${currency}`;
