import { type Bench, smallBeats } from "../../bench.ts";
import { timedBesideBeats } from "../../load/beside-beats.ts";
import { shuffled } from "../../load/shuffle.ts";
import { median, percentile } from "../../report/statistics.ts";

const idsRequested = 600;
/** The two catalogues take turns after this many requests, so that other work on the machine affects both alike. */
const requestsPerTurn = 50;

/**
 * Measures requests for beats that are similar to a beat, one at a time and each for another beat. They alternate with
 * requests for a beat by its id. The small catalogue gets such requests too, in turns with the full one.
 */
export async function similar(bench: Bench): Promise<void> {
  const small = { ...(await bench.small()), beats: smallBeats };
  const fullMs: number[] = [];
  const smallMs: number[] = [];
  const [fullIds, smallIds] = [shuffled(bench.beats), shuffled(smallBeats)];
  const beatsMs: number[] = [];
  for (let from = 0; from < idsRequested; from += requestsPerTurn) {
    const { durationsMs, beatMs } = await timedBesideBeats(bench, pathsOf(fullIds.slice(from, from + requestsPerTurn)));
    fullMs.push(...durationsMs);
    beatsMs.push(beatMs);
    smallMs.push(...(await timedBesideBeats(small, pathsOf(smallIds.slice(from, from + requestsPerTurn)))).durationsMs);
  }
  bench.report({ case: "similar: p50", value: median(fullMs), unit: "ms", target: null });
  bench.report({
    case: "similar: p50 relative to a beat by id",
    value: median(fullMs) / median(beatsMs),
    unit: "×",
    target: { max: 4 },
  });
  bench.report({ case: "similar: p99", value: percentile(fullMs, 0.99), unit: "ms", target: null });
  bench.report({
    case: "similar: p50 relative to a catalogue of 10,000 beats",
    value: median(fullMs) / median(smallMs),
    unit: "×",
    target: { max: 1.5 },
  });
}

const pathsOf = (ids: number[]): string[] => ids.map((id) => `/v1/beats/${id}/similar`);
