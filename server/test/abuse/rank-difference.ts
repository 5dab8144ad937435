/**
 * By how many standard errors the ranks of two samples differ (Mann and Whitney): near 0 for samples of one kind,
 * positive when the first is the larger. Few slow ones, as every machine has them, do not move it.
 */
export function rankDifference(first: readonly number[], second: readonly number[]): number {
  const sorted = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].sort((a, b) => a.value - b.value);
  let ranks = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (end < sorted.length && sorted[end]?.value === sorted[start]?.value) end++;
    // Equal values share the mean of their ranks.
    const rank = (start + 1 + end) / 2;
    for (; start < end; start++) if (sorted[start]?.isFirst) ranks += rank;
  }
  const [n, m] = [first.length, second.length];
  const above = ranks - (n * (n + 1)) / 2;
  return (above - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}
