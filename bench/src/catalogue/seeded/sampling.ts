import type { Quantiles } from "./measured.ts";

/** Numbers from 0 up to 1. */
export type Random = () => number;

/** Draws positions of a list of shares, which need not add up to 1. */
export function drawFrom(shares: readonly number[]): (random: Random) => number {
  let sum = 0;
  const sums = shares.map((share) => {
    sum += share;
    return sum;
  });
  return (random) => {
    const position = random() * sum;
    return sums.findIndex((upTo) => position < upTo);
  };
}

/** Draws names by their shares. */
export function drawName<Name extends string>(shares: Readonly<Record<Name, number>>): (random: Random) => Name {
  const names = Object.keys(shares) as Name[];
  const draw = drawFrom(Object.values<number>(shares));
  return (random) => names[draw(random)] as Name;
}

/** Draws numbers from a distribution that quantiles define, uniform between two quantiles. */
export const drawQuantile =
  (quantiles: Quantiles) =>
  (random: Random): number => {
    const share = random();
    const above = quantiles.findIndex(([upTo]) => share < upTo);
    const [[from = 0, low = 0] = [], [upTo = 1, high = 0] = []] = [quantiles[above - 1], quantiles[above]];
    return low + ((share - from) / (upTo - from)) * (high - low);
  };

/**
 * Draws ranks from a distribution that the shares of some ranks define, with a power law between two of them. Maps a
 * number from 0 up to 1 to a rank; smaller numbers give smaller ranks.
 */
export function powerLaw(shares: readonly (readonly [rank: number, share: number])[]): (uniform: number) => number {
  const pieces = shares.slice(1).map(([toRank, toShare], position) => {
    const [fromRank, fromShare] = shares[position] ?? [1, 1];
    // A rank represents the interval up to the next rank, so the share of the rank is the share at the middle.
    const [low, high] = [fromRank + 0.5, toRank + 0.5];
    // One minus the exponent, which is never exactly 1 here.
    const slope = 1 + Math.log(toShare / fromShare) / Math.log(high / low);
    const scale = fromShare * low ** (1 - slope);
    const from = position === 0 ? 1 : low;
    return { from, slope, scale, mass: (scale * (high ** slope - from ** slope)) / slope };
  });
  const total = pieces.reduce((sum, { mass }) => sum + mass, 0);
  return (uniform) => {
    let remainder = uniform * total;
    for (const { from, slope, scale, mass } of pieces) {
      if (remainder < mass) return Math.floor((from ** slope + (remainder * slope) / scale) ** (1 / slope));
      remainder -= mass;
    }
    return shares.at(-1)?.[0] ?? 1;
  };
}
