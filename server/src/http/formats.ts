/** ISO 8601 UTC, whole seconds (DESIGN section 2, time). */
export const timestamp = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

/** Integer cents as the wire's decimal number: 2990 → 29.9. */
export const money = (cents: number): number => cents / 100;
