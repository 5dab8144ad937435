/** The month (UTC) of a time and the months before it, newest first: `2026-11`, `2026-10`, … */
export const lastMonths = (date: Date, count: number): string[] =>
  Array.from({ length: count }, (_, monthsBack) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsBack)).toISOString().slice(0, 7),
  );
