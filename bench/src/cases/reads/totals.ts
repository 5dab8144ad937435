import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Bench } from "../../bench.ts";
import { addBeats } from "../../catalogue/changes.ts";
import { readPage } from "../../load/request.ts";
import { withDatabase } from "../../processes/database.ts";

const producersChecked = 100;
const pairsChecked = 200;
const requestsCounted = 100;
const pageSize = 20;
/** A PostgreSQL process publishes its statistics about once a second, at its next statement. */
const statisticsDelayMs = 1_500;

/**
 * Compares `total` of all beats, of genres, of producers and of pairs of both with count(*), before and after beats are
 * added. Also reports how many rows PostgreSQL reads for a page of the widest pairs, which shows that it does not
 * count.
 */
export const totals = (bench: Bench): Promise<void> =>
  withDatabase(bench.databaseUrl, async (client) => {
    const filters = await filtersOf(client);
    let wrong = await wrongTotals(bench, client, filters);
    await addBeats(client, bench.beats, 500);
    await sleep(1_000);
    wrong += await wrongTotals(bench, client, filters);
    bench.report({ case: "totals: compared with count(*)", value: 2 * filters.length, unit: "filters", target: null });
    bench.report({ case: "totals: wrong", value: wrong, unit: "filters", target: { max: 0 } });

    const widest = filters.toSorted((a, b) => b.count - a.count).filter(({ isPair }) => isPair);
    const before = await rowsRead(client);
    let requests = 0;
    for (const { path } of widest.slice(0, requestsCounted)) {
      await readPage(bench, `${path}&limit=${pageSize}`);
      requests++;
    }
    await sleep(statisticsDelayMs);
    // PostgreSQL's processes publish the rows of the requests above at their next statement. Another page size avoids
    // cached responses.
    for (const { path } of widest.slice(0, 2)) await readPage(bench, `${path}&limit=${pageSize - 1}`);
    await sleep(statisticsDelayMs);
    const rowsPerRequest = ((await rowsRead(client)) - before) / requests;
    bench.report({
      case: `totals: rows read for a page of ${pageSize}`,
      value: rowsPerRequest,
      unit: "rows",
      target: { max: 2 * pageSize },
    });
  });

interface Filter {
  path: string;
  count: number;
  isPair: boolean;
}

async function filtersOf(client: Client): Promise<Filter[]> {
  const { rows } = await client.query<{ genre: number | null; producer: number | null; count: number }>(
    `(select null::integer as genre, null::integer as producer, count(*)::integer as count from beats where is_listed)
     union all
     (select genre_id::integer, null, count(*)::integer from beats where is_listed group by 1)
     union all
     (select null, user_id::integer, count(*)::integer from beats where is_listed group by 2 order by 3 desc limit $1)
     union all
     (select genre_id::integer, user_id::integer, count(*)::integer from beats where is_listed group by 1, 2
      order by 3 desc limit $2)`,
    [producersChecked, pairsChecked],
  );
  return rows.map(({ genre, producer, count }) => {
    const filters = [
      genre === null ? [] : [`genre=${genre}`],
      producer === null ? [] : [`producer=${producer}`],
    ].flat();
    return {
      path: `/v1/beats?sort=newest${filters.map((filter) => `&${filter}`).join("")}`,
      count,
      isPair: filters.length > 1,
    };
  });
}

async function wrongTotals(bench: Bench, client: Client, filters: Filter[]): Promise<number> {
  const counts = new Map((await filtersOf(client)).map(({ path, count }) => [path, count]));
  let wrong = 0;
  for (const { path, count } of filters) {
    const { pagination } = await readPage(bench, `${path}&limit=1`);
    if (pagination.total !== (counts.get(path) ?? count)) wrong++;
  }
  return wrong;
}

/** Rows of beats read since statistics began, by scans of the table and of indexes. */
async function rowsRead(client: Client): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(
    `select (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes where relname = 'beats'))::float8 as rows
     from pg_stat_user_tables where relname = 'beats'`,
  );
  return rows[0]?.rows ?? 0;
}
