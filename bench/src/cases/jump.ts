import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { loadOf } from "../compare.ts";
import { contest, medianOf, shareOf } from "../contest.ts";
import { median } from "../report.ts";
import { timed } from "../request.ts";
import { shuffled } from "../shuffle.ts";
import { makeStale } from "./once.ts";

const pageSize = 20;
const jumps = 40;
const jumpsAfterChange = 15;
const jumpEveryMs = 500;
const idsAsked = 200_000;

/**
 * A page near the end by its number alone, which nobody can seek to: while the catalogue stays as it is, right after it
 * changed, and what it does to those who read beats meanwhile.
 */
export async function jump(bench: Bench): Promise<void> {
  const deepest = Math.floor((bench.beats * 0.9) / pageSize);
  const path = (n: number) => `/v1/beats?page=${deepest - n}`;
  const name = `jump to page ${deepest.toLocaleString("en")}`;

  const durationsMs: number[] = [];
  for (let n = 0; n < jumps; n++) durationsMs.push(await timed(bench, path(n)));
  bench.report({ case: `${name}: first`, value: durationsMs[0] ?? null, unit: "ms", reach: null });
  bench.report({ case: `${name}: p50`, value: median(durationsMs), unit: "ms", reach: { max: 40 } });

  const afterChangeMs: number[] = [];
  for (let n = 0; n < jumpsAfterChange; n++) {
    await makeStale(bench);
    await sleep(20);
    afterChangeMs.push(await timed(bench, path(n)));
  }
  bench.report({ case: `${name} after a change: p50`, value: median(afterChangeMs), unit: "ms", reach: { max: 40 } });

  const paths = shuffled(bench.beats)
    .slice(0, idsAsked)
    .map((id) => `/v1/beats/${id}`);
  const load = () => loadOf(bench, bench, paths);
  let jumper: Jumper | undefined;
  const stopJumping = async () => {
    await jumper?.stop();
    jumper = undefined;
    await makeStale(bench);
  };
  const { alone, beside } = await contest(bench, "reads beside jumps", {
    alone: { prepare: stopJumping, load },
    beside: {
      prepare: async () => {
        await stopJumping();
        jumper = startJumping(bench, path);
      },
      load,
    },
  }).finally(stopJumping);
  bench.report({ case: "reads alone: p99", value: medianOf(alone, "p99Ms"), unit: "ms", reach: null });
  bench.report({ case: "reads beside jumps: p99", value: medianOf(beside, "p99Ms"), unit: "ms", reach: null });
  bench.report({
    case: "reads beside jumps: ratio",
    value: shareOf(beside, alone),
    unit: "of alone",
    reach: { min: 0.9 },
  });
}

interface Jumper {
  stop(): Promise<void>;
}

/** Jumps twice a second, each time after a change, until it is stopped. */
function startJumping(bench: Bench, path: (n: number) => string): Jumper {
  const stopping = new AbortController();
  const jumping = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      await makeStale(bench);
      await timed(bench, path(n % jumps));
      await sleep(jumpEveryMs);
    }
  })();
  // Told to whoever stops it.
  jumping.catch(() => {});
  return {
    stop: async () => {
      stopping.abort();
      await jumping;
    },
  };
}
