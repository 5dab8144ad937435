/**
 * The difference between the medians of two samples, divided by their spread (the interquartile range). If it is far
 * below 1, a single value does not reveal the sample to which it belongs.
 */
export function shift(first: readonly number[], second: readonly number[]): number {
  const allValues = [...first, ...second];
  const spread = quantile(allValues, 0.75) - quantile(allValues, 0.25);
  return Math.abs(quantile(first, 0.5) - quantile(second, 0.5)) / spread;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
