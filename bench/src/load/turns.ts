import type { Bench } from "../bench.ts";
import { median } from "../report/statistics.ts";
import { type Burst, burst, type Load } from "./burst.ts";

/** One side of a comparison. Sides take turns, so that other work on the machine affects all of them. */
export interface Side {
  /** Runs before each burst. */
  prepare?: () => Promise<unknown>;
  /** Reads the CPU time that the side's process has used since its start, in seconds. */
  cpuSeconds?: () => Promise<number>;
  load(round: number): Load;
}

/** A burst of one side. */
export interface SideBurst extends Burst {
  /** CPU time of the side's process for each request, in microseconds; NaN where the side does not read it. */
  cpuMicros: number;
}

/** The bursts of one side, one per round. */
export type Bursts = SideBurst[];

/** Sends each side one burst per round. Reports failed requests by side and excludes them from the rates. */
export async function inTurns<Names extends string>(
  { rounds, report }: Pick<Bench, "rounds" | "report">,
  name: string,
  sides: Record<Names, Side>,
): Promise<Record<Names, Bursts>> {
  const entries = Object.entries(sides) as [Names, Side][];
  const results = Object.fromEntries(entries.map(([sideName]) => [sideName, []])) as unknown as Record<Names, Bursts>;
  for (let round = 0; round < rounds; round++) {
    // Reversed every second round, so that no side always comes first.
    for (const [sideName, side] of round % 2 === 0 ? entries : entries.toReversed()) {
      await side.prepare?.();
      results[sideName].push(await burstOf(side, round));
    }
  }
  for (const [sideName] of entries) {
    const value = results[sideName].reduce((sum, { failures }) => sum + failures, 0);
    if (value > 0) report({ case: `${name}: failed (${sideName})`, value, unit: "requests", target: { max: 0 } });
  }
  return results;
}

async function burstOf({ load, cpuSeconds = async () => Number.NaN }: Side, round: number): Promise<SideBurst> {
  const roundLoad = load(round);
  const startSeconds = await cpuSeconds();
  const result = await burst(roundLoad);
  const requests = result.requestsPerSecond * roundLoad.seconds + result.failures;
  return { ...result, cpuMicros: (((await cpuSeconds()) - startSeconds) / requests) * 1_000_000 };
}

/** One side's rate as a share of another's: the median of the rounds' shares. */
export const shareOf = (ownBursts: Bursts, otherBursts: Bursts): number =>
  median(
    ownBursts.map(
      (ownBurst, round) => ownBurst.requestsPerSecond / (otherBursts[round]?.requestsPerSecond ?? Number.NaN),
    ),
  );

/** The CPU time that one side needs for a request, in multiples of another's: the median of the rounds' ratios. */
export const cpuRatioOf = (ownBursts: Bursts, otherBursts: Bursts): number =>
  median(ownBursts.map((ownBurst, round) => ownBurst.cpuMicros / (otherBursts[round]?.cpuMicros ?? Number.NaN)));

export const medianOf = (bursts: Bursts, field: keyof SideBurst): number => median(bursts.map((burst) => burst[field]));
