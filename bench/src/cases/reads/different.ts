import type { Bench } from "../../bench.ts";
import { invalidateLists } from "../../catalogue/changes.ts";
import { compareWithBare } from "../../load/compare-with-bare.ts";
import { shuffled } from "../../load/shuffle.ts";
import { pagePaths } from "../../paths/page-paths.ts";

/** More pages than a server can send in a second, so that a burst requests no page twice. */
const pagesPerSecond = 6_000;

/** Requests each beat once. */
export async function beatsById(bench: Bench): Promise<void> {
  const ids = shuffled(bench.beats);
  const idsPerRound = Math.floor(ids.length / bench.rounds);
  await compareWithBare(bench, {
    name: "GET /beats/{id}, every id different",
    sample: `/v1/beats/${ids[0]}`,
    paths: (round) => ids.slice(round * idsPerRound, (round + 1) * idsPerRound).map((id) => `/v1/beats/${id}`),
    targetRatio: 0.25,
  });
}

/** Requests pages by `after`, in every order, by genre and by producer, each once in a round. */
export async function pagesOnce(bench: Bench): Promise<void> {
  bench.say("collecting different pages …");
  const paths = await pagePaths(bench, bench.seconds * pagesPerSecond);
  await compareWithBare(bench, {
    name: "GET /beats, every page different",
    sample: "/v1/beats?page=2",
    paths: () => paths,
    prepare: () => invalidateLists(bench),
    targetRatio: 0.1,
  });
}
