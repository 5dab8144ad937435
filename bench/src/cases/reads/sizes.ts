import { type Bench, type Service, type SmallService, smallBeats } from "../../bench.ts";
import { invalidateLists } from "../../catalogue/changes.ts";
import { loadOf } from "../../load/compare-with-bare.ts";
import { shuffled } from "../../load/shuffle.ts";
import { inTurns, shareOf } from "../../load/turns.ts";
import { pagePaths } from "../../paths/page-paths.ts";

/** Short enough that no beat or page of the small catalogue is requested twice. */
const burst = { seconds: 1 };
const pagesOfSmall = 6_000;

/** Compares the rate of reads of the small catalogue with that of the full one. */
export async function sizes(bench: Bench): Promise<void> {
  const small = await bench.small();
  await compareSizes(bench, small, "GET /beats, warm", async () => ["/v1/beats"]);
  await compareSizes(bench, small, "GET /beats/{id}, every id different", async ({ beats }) =>
    shuffled(beats).slice(0, smallBeats).flatMap(bothBases("/beats/")),
  );
  await compareSizes(bench, small, "GET /beats, every page different", ({ service }) =>
    pagePaths(service, pagesOfSmall),
  );
}

/** The two base addresses have separate entries in the cache. */
const bothBases = (path: string) => (id: number) => [`/v1${path}${id}`, `/api/v1${path}${id}`];

interface Side {
  service: Service;
  beats: number;
}

async function compareSizes(
  bench: Bench,
  small: SmallService,
  name: string,
  pathsOf: (side: Side) => Promise<string[]>,
): Promise<void> {
  const contender = async (service: Service, beats: number, databaseUrl: string) => {
    const paths = await pathsOf({ service, beats });
    return { prepare: () => invalidateLists({ databaseUrl, beats }), load: () => loadOf(burst, service, paths) };
  };
  const result = await inTurns({ ...bench, rounds: bench.rounds * 2 }, name, {
    small: await contender(small, smallBeats, small.databaseUrl),
    full: await contender(bench, bench.beats, bench.databaseUrl),
  });
  const value = shareOf(result.small, result.full);
  bench.report({
    case: `${name}: rate with 10,000 beats`,
    value,
    unit: "× the rate with all beats",
    target: { max: 1.3 },
  });
}
