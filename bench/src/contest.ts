import type { Bench } from "./bench.ts";
import { type Burst, burst, type Load } from "./load.ts";
import { median } from "./report.ts";

/** Somebody who is driven in turn with others, so that whatever else the machine does meets them all. */
export interface Contender {
  /** Before each burst. */
  prepare?: () => Promise<unknown>;
  load(round: number): Load;
}

/** The bursts of one contender, one a round. */
export type Bursts = Burst[];

/** Drives each contender once a round. Requests that fail are told of by name; no rate counts them. */
export async function contest<Names extends string>(
  { rounds, report }: Pick<Bench, "rounds" | "report">,
  name: string,
  contenders: Record<Names, Contender>,
): Promise<Record<Names, Bursts>> {
  const entries = Object.entries(contenders) as [Names, Contender][];
  const results = Object.fromEntries(entries.map(([each]) => [each, []])) as unknown as Record<Names, Bursts>;
  for (let round = 0; round < rounds; round++) {
    // What one leaves behind, the other meets in the next round.
    for (const [each, { prepare, load }] of round % 2 === 0 ? entries : entries.toReversed()) {
      await prepare?.();
      results[each].push(await burst(load(round)));
    }
  }
  for (const [each] of entries) {
    const value = results[each].reduce((sum, { failures }) => sum + failures, 0);
    if (value > 0) report({ case: `${name}: failed (${each})`, value, unit: "requests", reach: { max: 0 } });
  }
  return results;
}

/** One contender's rate as a share of another's: the median of the rounds' shares. */
export const shareOf = (ours: Bursts, theirs: Bursts): number =>
  median(ours.map((its, round) => its.requestsPerSecond / (theirs[round]?.requestsPerSecond ?? Number.NaN)));

export const medianOf = (bursts: Bursts, field: keyof Burst): number => median(bursts.map((its) => its[field]));
