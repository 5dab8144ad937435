import type { Bench } from "../../bench.ts";
import { burst } from "../../load/burst.ts";
import { loadOf } from "../../load/compare-with-bare.ts";
import { shuffled } from "../../load/shuffle.ts";
import { peakMemory } from "../../processes/resident-memory.ts";

const pathCount = 100_000;

/** Reports the peak resident memory of the server's process under mixed reads, most of them not cached. */
export async function memory(bench: Bench): Promise<void> {
  const ids = shuffled(bench.beats).slice(0, pathCount);
  const sorts = ["newest", "popular", "price_asc", "price_desc"];
  const paths = ids.map((id, n) => {
    if (n % 5 === 0) return `/v1/beats?sort=${sorts[n % 4]}&page=${1 + (id % 20)}&limit=${1 + (id % 100)}`;
    if (n % 20 === 1) return `/v1/beats/${id}/similar`;
    return n % 4 === 2 ? "/v1/beats" : `/v1/beats/${id}`;
  });
  const value = await peakMemory(bench.processId, async () => {
    for (const encoding of ["identity", "gzip", "br"])
      await burst(loadOf({ seconds: bench.rounds * bench.seconds }, bench, paths, { "accept-encoding": encoding }));
  });
  bench.report({ case: "memory of the server under load", value, unit: "MB", target: { max: 400 } });
}
