import type { Bench } from "../bench.ts";
import { compareWithBare } from "../compare.ts";
import { addBeats, withDatabase } from "../database.ts";
import { pagePaths } from "../page-paths.ts";
import { shuffled } from "../shuffle.ts";

/** More than any server answers in a second, so that none is asked for twice in a burst. */
const pagesASecond = 6_000;

/** Each beat is asked for once. */
export async function beatsById(bench: Bench): Promise<void> {
  const ids = shuffled(bench.beats);
  const share = Math.floor(ids.length / bench.rounds);
  await compareWithBare(bench, {
    name: "GET /beats/{id}, every id different",
    sample: `/v1/beats/${ids[0]}`,
    paths: (round) => ids.slice(round * share, (round + 1) * share).map((id) => `/v1/beats/${id}`),
    reachRatio: 0.25,
  });
}

/** Pages by `after`, of every order, by genre and by producer, none twice in a round. */
export async function pagesOnce(bench: Bench): Promise<void> {
  bench.say("looking for different pages …");
  const paths = await pagePaths(bench, bench.seconds * pagesASecond);
  await compareWithBare(bench, {
    name: "GET /beats, every page different",
    sample: "/v1/beats?page=2",
    paths: () => paths,
    prepare: () => makeStale(bench),
    reachRatio: 0.15,
  });
}

/** A new beat makes stale whatever is kept of lists. */
export const makeStale = ({ databaseUrl, beats }: Pick<Bench, "databaseUrl" | "beats">): Promise<void> =>
  withDatabase(databaseUrl, (client) => addBeats(client, beats, 1));
