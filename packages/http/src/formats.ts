const dayMs = 86_400_000;
const maxDays = 20_000;
/** Caches "2026-11-21T" by days since 1970, since formatting the date takes most of the time. */
const days = new Map<number, string>();

/** ISO 8601 UTC, whole seconds (docs/api/conventions.md, Time). */
export function timestamp(date: Date): string {
  const ms = date.getTime();
  const day = Math.floor(ms / dayMs);
  let text = days.get(day);
  if (text === undefined) {
    text = date.toISOString().replace(/T.*/, "T");
    if (days.size < maxDays) days.set(day, text);
  }
  const seconds = Math.floor((ms - day * dayMs) / 1000);
  return `${text}${twoDigits(seconds / 3600)}:${twoDigits((seconds / 60) % 60)}:${twoDigits(seconds % 60)}Z`;
}

const digits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
const twoDigits = (number: number): string => digits[Math.floor(number)] ?? "";

/** Integer cents as the wire's decimal number: 2990 → 29.9. */
export const money = (cents: number): number => cents / 100;
