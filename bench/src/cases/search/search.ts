import type { Bench } from "../../bench.ts";
import { timedBesideBeats } from "../../load/beside-beats.ts";
import { timed } from "../../load/request.ts";
import { type SearchTerms, searchTerms } from "../../paths/search-terms.ts";
import { withDatabase } from "../../processes/database.ts";
import { percentile } from "../../report/statistics.ts";

const termsEach = 150;
/** Searched beforehand, so that indexes are in memory. */
const warmUps = 30;
const sampledTitles = 60_000;
/** Multiples of the median beat by id. */
const targets = { p50: 20, p99: 80 };

/** Searches one after another, each term once, so that no response comes from the cache; beside beats by id. */
export async function search(bench: Bench): Promise<void> {
  const terms = await termsOf(bench);
  const pathOf = (type: string, term: string) => `/v1/search?type=${type}&q=${encodeURIComponent(term)}`;
  for (const [kind, each] of Object.entries(terms)) {
    for (const term of each.splice(0, warmUps)) await timed(bench, pathOf("all", term));
    const paths = ["all", "beats"].flatMap((type) => each.map((term) => pathOf(type, term)));
    const { durationsMs, beatMs } = await timedBesideBeats(bench, paths);
    for (const [name, share] of [
      ["p50", 0.5],
      ["p99", 0.99],
    ] as const) {
      const ms = percentile(durationsMs, share);
      const target = { max: targets[name] };
      bench.report({ case: `search, ${kind}: ${name}`, value: ms, unit: "ms", target: null });
      bench.report({ case: `search, ${kind}: ${name} to a beat by id`, value: ms / beatMs, unit: "times", target });
    }
  }
}

const termsOf = ({ databaseUrl, beats }: Bench): Promise<SearchTerms> =>
  withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ title: string }>(
      "select title from beats where id % $1 = 0 and id <= $2 order by id",
      [Math.max(1, Math.floor(beats / sampledTitles)), beats],
    );
    return searchTerms(
      rows.map(({ title }) => title),
      termsEach + warmUps,
    );
  });
