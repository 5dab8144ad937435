import type { Bench } from "../../bench.ts";
import { get, responseMs } from "../../load/request.ts";
import { withDatabase } from "../../processes/database.ts";
import { peakMemory } from "../../processes/resident-memory.ts";

/** The target for the growth of memory. One file is 6 MB; all files of a million beats are more than 100 MB. */
const maxGrowthMb = 40;

/**
 * Reads the sitemap as a search engine does: the index, which is not cached yet, then every file. Compares two peaks of
 * the server's memory: while it sends every file once, and while it sends the first file as often.
 */
export async function sitemap(bench: Bench): Promise<void> {
  const row = (name: string, value: number, unit: string, target: { max: number } | null = null) =>
    bench.report({ case: `sitemap: ${name}`, value, unit, target });
  row("the index, which is made once in ten minutes", await responseMs(bench, "/sitemap.xml"), "ms");

  const paths = pathsIn((await get(bench, "/sitemap.xml")).body).filter((path) => /\/(beats|producers)-/.test(path));
  const [first = ""] = paths;
  const firstFilePeak = await peakMemory(bench.processId, async () => {
    for (const _ of paths) await get(bench, first);
  });
  let addresses = 0;
  let bytes = 0;
  const startedMs = performance.now();
  const peak = await peakMemory(bench.processId, async () => {
    for (const path of paths) {
      const { body } = await get(bench, path);
      bytes += body.length;
      if (path.includes("/beats-")) addresses += body.match(/<loc>/g)?.length ?? 0;
    }
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  const listedCount = await withDatabase(bench.databaseUrl, async (client) => {
    const { rows } = await client.query("select count(*)::int as beats from beats where is_listed");
    return Number(rows[0].beats);
  });
  row("files", paths.length, "files");
  row("all files", bytes / 2 ** 20, "MB");
  row("all files, one after the other", seconds, "s");
  row("beats without their address", listedCount - addresses, "beats", { max: 0 });
  row("memory for all files, in addition to that for one", peak - firstFilePeak, "MB", { max: maxGrowthMb });
}

const pathsIn = (xml: string): string[] =>
  [...xml.matchAll(/<loc>https?:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, path = ""]) => path);
