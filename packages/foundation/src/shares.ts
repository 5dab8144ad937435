/**
 * Divides a total of integer cents in proportion to weights. The shares sum to the total: the cents that rounding down
 * leaves go to the largest remainders, and among equal remainders to the first. Throws for weights that sum to 0.
 */
export function sharesOf(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + BigInt(weight), 0n);
  if (sum <= 0n) throw new Error("Nothing can be shared by weights that sum to 0.");
  const exact = weights.map((weight, place) => {
    const product = BigInt(total) * BigInt(weight);
    return { place, cents: product / sum, remainder: product % sum };
  });
  const missing = total - Number(exact.reduce((all, { cents }) => all + cents, 0n));
  const shares = exact.map(({ cents }) => Number(cents));
  const byRemainder = exact.toSorted((a, b) => {
    if (a.remainder === b.remainder) return a.place - b.place;
    return a.remainder > b.remainder ? -1 : 1;
  });
  for (const { place } of byRemainder.slice(0, missing)) shares[place] = (shares[place] ?? 0) + 1;
  return shares;
}
