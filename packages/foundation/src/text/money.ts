/** Integer cents with both decimals, for people and files: -2990 → -29.90. (The API's numbers are made by `money`.) */
export function decimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** An amount with its currency (ISO 4217): 29.90 USD. */
export const amountText = (cents: number, currency: string): string => `${decimal(cents)} ${currency}`;
