import type { Bench } from "../bench.ts";
import { withDatabase } from "../database.ts";
import { median, percentile } from "../report.ts";
import { timed } from "../request.ts";
import { type SearchTerms, searchTerms } from "../search-terms.ts";

const termsEach = 150;
/** Asked for before, so that indexes are where they are in a server that has run for a while. */
const warmUps = 30;
const sampledTitles = 60_000;

/** Searches one after another, each once: what a person waits for, with nothing kept of the answer. */
export async function search(bench: Bench): Promise<void> {
  const terms = await termsOf(bench);
  const pathOf = (type: string, term: string) => `/v1/search?type=${type}&q=${encodeURIComponent(term)}`;
  for (const [kind, each] of Object.entries(terms)) {
    for (const term of each.splice(0, warmUps)) await timed(bench, pathOf("all", term));
    const durationsMs: number[] = [];
    for (const type of ["all", "beats"])
      for (const term of each) durationsMs.push(await timed(bench, pathOf(type, term)));
    bench.report({ case: `search, ${kind}: p50`, value: median(durationsMs), unit: "ms", reach: { max: 8 } });
    bench.report({
      case: `search, ${kind}: p99`,
      value: percentile(durationsMs, 0.99),
      unit: "ms",
      reach: { max: 40 },
    });
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
