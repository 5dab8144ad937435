import type { Bench, Service } from "../../bench.ts";
import { timedBesideBeats } from "../../load/beside-beats.ts";
import { readData, responseMs } from "../../load/request.ts";
import { type FilterValues, filterPaths } from "../../paths/filter-paths.ts";
import { median, percentile } from "../../report/statistics.ts";

const requestsPerSeries = 400;
const warmUps = 50;
const allFacets = "facets=genre,key,bpm,price,tag";
/** The targets, as multiples of the median time to read a beat by its id. */
const targets = { filters: 4, facets: 12 };

/**
 * Measures lists of beats with random filters in every order, first without facets, then with all. Sends one request at
 * a time, each one once, and after each a request for a beat by its id.
 */
export async function filters(bench: Bench): Promise<void> {
  const seriesLength = warmUps + requestsPerSeries;
  const paths = filterPaths(await filterValues(bench), 2 * seriesLength);
  const facets = paths.slice(0, seriesLength).map((path) => `${path}&${allFacets}`);
  for (const [name, seriesPaths, max] of [
    ["filters", paths.slice(seriesLength), targets.filters],
    ["facets", facets, targets.facets],
  ] as const) {
    for (const path of seriesPaths.slice(0, warmUps)) await responseMs(bench, path);
    const { durationsMs, beatMs } = await timedBesideBeats(bench, seriesPaths.slice(warmUps));
    bench.report({ case: `${name}: p50`, value: median(durationsMs), unit: "ms", target: null });
    bench.report({
      case: `${name}: p50 relative to a beat by id`,
      value: median(durationsMs) / beatMs,
      unit: "×",
      target: { max },
    });
    bench.report({
      case: `${name}: p99 relative to a beat by id`,
      value: percentile(durationsMs, 0.99) / beatMs,
      unit: "×",
      target: null,
    });
  }
}

/** Genres and the most popular producers to filter by. */
export const filterValues = async (service: Service & { beats: number }): Promise<FilterValues> => ({
  genres: await idsOf(service, "genres", "/v1/genres"),
  producers: await idsOf(service, "producers", "/v1/producers?limit=100"),
  beats: service.beats,
});

async function idsOf(service: Service, name: string, path: string): Promise<number[]> {
  const lists = await readData<Record<string, { id: number }[]>>(service, path);
  return (lists[name] ?? []).map(({ id }) => id);
}
