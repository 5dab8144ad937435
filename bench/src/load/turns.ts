import type { Bench } from "../bench.ts";
import { median } from "../report/statistics.ts";
import { type Burst, burst, type Load } from "./burst.ts";

/** One side of a comparison. Sides take turns, so that other work on the machine affects all of them. */
export interface Side {
  /** Runs before each burst. */
  prepare?: () => Promise<unknown>;
  load(round: number): Load;
}

/** The bursts of one side, one per round. */
export type Bursts = Burst[];

/** Sends each side one burst per round. Reports failed requests by side and excludes them from the rates. */
export async function inTurns<Names extends string>(
  { rounds, report }: Pick<Bench, "rounds" | "report">,
  name: string,
  sides: Record<Names, Side>,
): Promise<Record<Names, Bursts>> {
  const entries = Object.entries(sides) as [Names, Side][];
  const results = Object.fromEntries(entries.map(([each]) => [each, []])) as unknown as Record<Names, Bursts>;
  for (let round = 0; round < rounds; round++) {
    // Reversed every second round, so that each side follows each other one equally often.
    for (const [each, { prepare, load }] of round % 2 === 0 ? entries : entries.toReversed()) {
      await prepare?.();
      results[each].push(await burst(load(round)));
    }
  }
  for (const [each] of entries) {
    const value = results[each].reduce((sum, { failures }) => sum + failures, 0);
    if (value > 0) report({ case: `${name}: failed (${each})`, value, unit: "requests", target: { max: 0 } });
  }
  return results;
}

/** One side's rate as a share of another's: the median of the rounds' shares. */
export const shareOf = (ours: Bursts, theirs: Bursts): number =>
  median(ours.map((its, round) => its.requestsPerSecond / (theirs[round]?.requestsPerSecond ?? Number.NaN)));

export const medianOf = (bursts: Bursts, field: keyof Burst): number => median(bursts.map((its) => its[field]));
