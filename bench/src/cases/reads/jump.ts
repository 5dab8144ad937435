import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../../bench.ts";
import { invalidateLists } from "../../catalogue/changes.ts";
import { timedBesideBeats } from "../../load/beside-beats.ts";
import { loadOf } from "../../load/compare-with-bare.ts";
import { responseMs } from "../../load/request.ts";
import { shuffled } from "../../load/shuffle.ts";
import { inTurns, medianOf, shareOf } from "../../load/turns.ts";
import { median } from "../../report/statistics.ts";

const pageSize = 20;
const jumps = 40;
const jumpsAfterChange = 15;
const jumpEveryMs = 500;
const idsRequested = 200_000;
/** The targets, as multiples of the time to read a beat by its id. */
const jumpTarget = 4;
const jumpAfterChangeTarget = 12;

/**
 * Measures requests for a page near the end by its number, which gives the query no row to seek from. The catalogue is
 * first unchanged, then changed right before each request. Then measures reads of beats beside such requests.
 */
export async function jump(bench: Bench): Promise<void> {
  const deepest = Math.floor((bench.beats * 0.9) / pageSize);
  const path = (n: number) => `/v1/beats?page=${deepest - n}`;
  const name = `jump to page ${deepest.toLocaleString("en")}`;

  const paths = Array.from({ length: jumps }, (_, n) => path(n));
  const { durationsMs, beatMs } = await timedBesideBeats(bench, paths);
  bench.report({ case: `${name}: first`, value: durationsMs[0] ?? null, unit: "ms", target: null });
  bench.report({ case: `${name}: p50`, value: median(durationsMs), unit: "ms", target: null });
  const relativeToBeat = (value: number, max: number) => ({ value: value / beatMs, unit: "×", target: { max } });
  bench.report({ case: `${name}: p50 relative to a beat by id`, ...relativeToBeat(median(durationsMs), jumpTarget) });

  const afterChangeMs: number[] = [];
  for (let n = 0; n < jumpsAfterChange; n++) {
    await invalidateLists(bench);
    await sleep(20);
    afterChangeMs.push(await responseMs(bench, path(n)));
  }
  bench.report({ case: `${name} after a change: p50`, value: median(afterChangeMs), unit: "ms", target: null });
  bench.report({
    case: `${name} after a change: p50 relative to a beat by id`,
    ...relativeToBeat(median(afterChangeMs), jumpAfterChangeTarget),
  });

  const beatPaths = shuffled(bench.beats)
    .slice(0, idsRequested)
    .map((id) => `/v1/beats/${id}`);
  const load = () => loadOf(bench, bench, beatPaths);
  let jumper: Jumper | undefined;
  const stopJumping = async () => {
    await jumper?.stop();
    jumper = undefined;
    await invalidateLists(bench);
  };
  const { alone, beside: duringJumps } = await inTurns(bench, "reads beside jumps", {
    alone: { prepare: stopJumping, load },
    beside: {
      prepare: async () => {
        await stopJumping();
        jumper = startJumping(bench, path);
      },
      load,
    },
  }).finally(stopJumping);
  bench.report({ case: "reads alone: p99", value: medianOf(alone, "p99Ms"), unit: "ms", target: null });
  bench.report({ case: "reads beside jumps: p99", value: medianOf(duringJumps, "p99Ms"), unit: "ms", target: null });
  bench.report({
    case: "reads beside jumps: ratio",
    value: shareOf(duringJumps, alone),
    unit: "× the rate without jumps",
    target: { min: 0.9 },
  });
}

interface Jumper {
  stop(): Promise<void>;
}

/** Jumps about twice a second, each time after a change, until the caller stops it. */
function startJumping(bench: Bench, path: (n: number) => string): Jumper {
  const stopping = new AbortController();
  const jumping = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      await invalidateLists(bench);
      await responseMs(bench, path(n % jumps));
      await sleep(jumpEveryMs);
    }
  })();
  // stop() throws the error of the jumps.
  jumping.catch(() => {});
  return {
    stop: async () => {
      stopping.abort();
      await jumping;
    },
  };
}
