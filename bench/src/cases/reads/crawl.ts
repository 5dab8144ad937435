import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../../bench.ts";
import { addBeats } from "../../catalogue/changes.ts";
import { readPage } from "../../load/request.ts";
import { withDatabase } from "../../processes/database.ts";
import { median } from "../../report/statistics.ts";

const pageSize = 100;
const addedPerSecond = 100;
const addedAtOnce = 10;

/**
 * Follows next_page_url from the first page of the catalogue to the last, one request at a time, while beats are added.
 * Half of them are new; the others get a past date, so they appear on pages before or after the crawl's position. The
 * crawl must return every beat that existed at the start exactly once.
 */
export async function crawl(bench: Bench): Promise<void> {
  const { count, last, oldest } = await withDatabase(bench.databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: number; last: number; oldest: Date }>(
      `select count(*)::integer as count, max(id)::integer as last, min(created_at) as oldest
       from beats where is_listed`,
    );
    return rows[0] ?? { count: 0, last: 0, oldest: new Date(0) };
  });
  const adding = new AbortController();
  const addedCount = addBeatsContinuously(bench, oldest, adding.signal);
  const progress = bench.progress("crawling", count);
  // One byte for each id, with room for the beats that are added during the crawl.
  const visited = new Uint8Array(2 * last + 1_000_000);
  const durationsMs: number[] = [];
  let originalCount = 0;
  let repeatedCount = 0;
  try {
    let path: string | null = `/v1/beats?limit=${pageSize}`;
    while (path !== null) {
      const startedMs = performance.now();
      const { beats, next } = await readPage(bench, path);
      durationsMs.push(performance.now() - startedMs);
      for (const { id } of beats) {
        if (visited[id] === 1) repeatedCount++;
        else if (id <= last) originalCount++;
        visited[id] = 1;
      }
      path = next;
      progress.at(originalCount);
    }
  } finally {
    progress.end();
    adding.abort();
  }
  const none = { max: 0 };
  bench.report({ case: "crawl: pages", value: durationsMs.length, unit: "pages", target: null });
  bench.report({ case: "crawl: beats added during the crawl", value: await addedCount, unit: "beats", target: null });
  bench.report({ case: "crawl: beats skipped", value: count - originalCount, unit: "beats", target: none });
  bench.report({ case: "crawl: beats returned twice", value: repeatedCount, unit: "beats", target: none });
  const tenth = Math.ceil(durationsMs.length / 10);
  const first = median(durationsMs.slice(0, tenth));
  const end = median(durationsMs.slice(-tenth));
  bench.report({ case: "crawl: a page of the first tenth", value: first, unit: "ms", target: null });
  bench.report({ case: "crawl: a page of the last tenth", value: end, unit: "ms", target: null });
  bench.report({
    case: "crawl: last tenth relative to the first",
    value: end / first,
    unit: "×",
    target: { max: 1.3 },
  });
}

/** Adds beats until the signal aborts. Returns their number. */
const addBeatsContinuously = ({ databaseUrl, beats }: Bench, oldest: Date, stop: AbortSignal): Promise<number> =>
  withDatabase(databaseUrl, async (client) => {
    const startedMs = performance.now();
    let addedCount = 0;
    while (!stop.aborted) {
      const past = new Date(oldest.getTime() + Math.random() * (Date.now() - oldest.getTime()));
      await addBeats(client, beats, addedAtOnce, (addedCount / addedAtOnce) % 2 === 0 ? undefined : past);
      addedCount += addedAtOnce;
      await sleep(Math.max(0, startedMs + (addedCount / addedPerSecond) * 1_000 - performance.now()));
    }
    return addedCount;
  });
