import { performance } from "node:perf_hooks";
import { escapeIdentifier } from "pg";
import type { Bench } from "../../bench.ts";
import { burst } from "../../load/burst.ts";
import { loadOf } from "../../load/compare-with-bare.ts";
import { download } from "../../load/request.ts";
import { shuffled } from "../../load/shuffle.ts";
import { withDatabase } from "../../processes/database.ts";

const path = "/v1/exports/beats.ndjson.gz";
const consoleType = "application/vnd.beatmarket.console+json";
const pathsRead = 20_000;
/**
 * The targets for the speed of an export, as a share of COPY's, and for reads during an export, as a share of reads
 * without one.
 */
const targets = { ofCopy: 0.5, ofReads: 0.8 };

/**
 * Compares the creation and download of an export with COPY of the same rows as JSON, before and after it. Then
 * compares beats by id during an export in the other form with the same reads alone. The form differs because the
 * server creates the same export again only after ten minutes.
 */
export async function exportSpeed(bench: Bench): Promise<void> {
  const before = await copySeconds(bench);
  const exported = await download(bench, path);
  const copy = (before + (await copySeconds(bench))) / 2;
  const row = (label: string, value: number, unit: string) =>
    bench.report({ case: `export: ${label}`, value, unit, target: null });
  row("COPY", bench.beats / copy, "beats/s");
  row("creation and download", bench.beats / exported.seconds, "beats/s");
  row("size", exported.bytes / 1_000_000, "MB");
  bench.report({
    case: "export: relative to COPY … TO",
    value: copy / exported.seconds,
    unit: "× the speed of COPY",
    target: { min: targets.ofCopy },
  });

  const paths = shuffled(bench.beats)
    .slice(0, pathsRead)
    .map((id) => `/v1/beats/${id}`);
  const reads = async () => (await burst(loadOf(bench, bench, paths))).requestsPerSecond;
  const alone = await reads();
  let isDownloaded = false;
  const downloading = download(bench, path, { accept: consoleType }).then((response) => {
    isDownloaded = true;
    return response;
  });
  const duringExport = await reads();
  row("continues after the reads", isDownloaded ? 0 : 1, "(1: yes, 0: no)");
  const { seconds } = await downloading;
  const after = await reads();
  row("creation and download during reads", bench.beats / seconds, "beats/s");
  bench.report({
    case: "export: beats by id during an export",
    value: duringExport / ((alone + after) / 2),
    unit: "× the rate without an export",
    target: { min: targets.ofReads },
  });
}

/** Returns the duration of COPY in seconds. The server discards the rows, so that it waits for no client. */
const copySeconds = ({ databaseUrl }: Bench): Promise<number> =>
  withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select attname as name from pg_attribute
       where attrelid = 'beats'::regclass and attnum > 0 and not attisdropped and attname <> all ($1)`,
      [["search", "source", "external_id", "popularity", "key_code", "exclusive_order_id", "exclusive_held_until"]],
    );
    const columns = rows.map(({ name }) => `beats.${escapeIdentifier(name)}`).join(", ");
    const startedMs = performance.now();
    await client.query(
      `copy (select row_to_json(line) from (
         select ${columns}, users.display_name as producer_name, genres.name as genre_name, genres.slug as genre_slug
         from beats join users on users.id = beats.user_id join genres on genres.id = beats.genre_id
         where is_listed order by beats.id) as line) to '/dev/null'`,
    );
    return (performance.now() - startedMs) / 1_000;
  });
