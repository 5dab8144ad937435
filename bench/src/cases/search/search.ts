import type { Bench } from "../../bench.ts";
import { timedBesideBeats } from "../../load/beside-beats.ts";
import { loadOf } from "../../load/compare-with-bare.ts";
import { responseMs } from "../../load/request.ts";
import { shuffled } from "../../load/shuffle.ts";
import { inTurns, medianOf, shareOf } from "../../load/turns.ts";
import { type SearchTerms, searchTerms } from "../../paths/search-terms.ts";
import { withDatabase } from "../../processes/database.ts";
import { percentile } from "../../report/statistics.ts";

const termsPerKind = 150;
/** The number of searches before the measurement, which load the indexes into memory. */
const warmUps = 30;
const sampledTitles = 60_000;
/** Targets, as multiples of the median time to read a beat by id. */
const targets = { p50: 4, p99: 15 };
/** More searches than a server can answer in a second, so that a burst repeats no search. */
const searchesPerSecond = 6_000;
/** The target, as a share of the rate of reads of different beats by id. */
const rateTarget = 0.25;

/**
 * Measures searches one at a time, alternating with reads of beats. No search is repeated, so the cache never answers.
 */
export async function search(bench: Bench): Promise<void> {
  const terms = await searchTermsOf(bench);
  const pathOf = (type: string, term: string) => `/v1/search?type=${type}&q=${encodeURIComponent(term)}`;
  for (const [kind, each] of Object.entries(terms)) {
    for (const term of each.splice(0, warmUps)) await responseMs(bench, pathOf("all", term));
    const paths = ["all", "beats"].flatMap((type) => each.map((term) => pathOf(type, term)));
    const { durationsMs, beatMs } = await timedBesideBeats(bench, paths);
    for (const [name, share] of [
      ["p50", 0.5],
      ["p99", 0.99],
    ] as const) {
      const ms = percentile(durationsMs, share);
      const target = { max: targets[name] };
      bench.report({ case: `search, ${kind}: ${name}`, value: ms, unit: "ms", target: null });
      bench.report({
        case: `search, ${kind}: ${name} relative to a beat by id`,
        value: ms / beatMs,
        unit: "×",
        target,
      });
    }
  }
}

/** Compares the rate of searches at 64 connections, each search once in a burst, with the rate of beats by id. */
export async function searchRate(bench: Bench): Promise<void> {
  const { "two words": pairs, "rare word": rare } = await searchTermsOf(bench, bench.seconds * searchesPerSecond);
  const searches = shuffledItems([...pairs, ...rare]).map(
    (term, n) => `/v1/search?type=${n % 2 === 0 ? "all" : "beats"}&q=${encodeURIComponent(term)}`,
  );
  const ids = shuffled(bench.beats);
  const boundsOfRound = (items: readonly unknown[], round: number) => [
    Math.floor((items.length * round) / bench.rounds),
    Math.floor((items.length * (round + 1)) / bench.rounds),
  ];
  const { searching, reading } = await inTurns(bench, "searches", {
    searching: { load: (round) => loadOf(bench, bench, searches.slice(...boundsOfRound(searches, round))) },
    reading: {
      load: (round) =>
        loadOf(
          bench,
          bench,
          ids.slice(...boundsOfRound(ids, round)).map((id) => `/v1/beats/${id}`),
        ),
    },
  });
  bench.report({
    case: "search rate",
    value: medianOf(searching, "requestsPerSecond"),
    unit: "requests/s",
    target: null,
  });
  bench.report({
    case: "search rate: relative to different beats by id",
    value: shareOf(searching, reading),
    unit: "× the rate of beats by id",
    target: { min: rateTarget },
  });
}

const shuffledItems = <Item>(items: readonly Item[]): Item[] =>
  shuffled(items.length).map((place) => items[place - 1] as Item);

/** Terms of each kind from a sample of the titles. */
export const searchTermsOf = (
  { databaseUrl, beats }: Pick<Bench, "databaseUrl" | "beats">,
  termCount = termsPerKind + warmUps,
): Promise<SearchTerms> =>
  withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ title: string }>(
      "select title from beats where id % $1 = 0 and id <= $2 order by id",
      [Math.max(1, Math.floor(beats / sampledTitles)), beats],
    );
    return searchTerms(
      rows.map(({ title }) => title),
      termCount,
    );
  });
