import { type Bench, type Service, smallBeats } from "../bench.ts";
import { median, percentile } from "../report.ts";
import { timed } from "../request.ts";
import { shuffled } from "../shuffle.ts";

const beatsAsked = 600;
/** Ids in one go, so that what else the machine does meets both sizes. */
const atATime = 50;

/** Similar beats of different beats, one request at a time, in turn on the full and the small catalogue. */
export async function similar(bench: Bench): Promise<void> {
  const small = await bench.small();
  const full: number[] = [];
  const few: number[] = [];
  const [fullIds, smallIds] = [shuffled(bench.beats), shuffled(smallBeats)];
  for (let from = 0; from < beatsAsked; from += atATime) {
    full.push(...(await ask(bench, fullIds.slice(from, from + atATime))));
    few.push(...(await ask(small, smallIds.slice(from, from + atATime))));
  }
  bench.report({ case: "similar: p50", value: median(full), unit: "ms", reach: { max: 3 } });
  bench.report({ case: "similar: p99", value: percentile(full, 0.99), unit: "ms", reach: null });
  bench.report({
    case: "similar: p50 to that of 10,000 beats",
    value: median(full) / median(few),
    unit: "ratio",
    reach: { max: 1.5 },
  });
}

async function ask(service: Service, ids: number[]): Promise<number[]> {
  const durationsMs: number[] = [];
  for (const id of ids) durationsMs.push(await timed(service, `/v1/beats/${id}/similar`));
  return durationsMs;
}
