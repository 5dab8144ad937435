import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench } from "./bench.ts";
import { type Burst, burst } from "./load.ts";
import { start } from "./programs.ts";
import { median } from "./report.ts";
import { get } from "./request.ts";

const barePort = 18_444;
const connections = 32;

interface Comparison {
  name: string;
  /** Fresh paths for each round, so that nothing uncached is asked for twice. */
  paths: (round: number) => string[];
  /** Asked for once beforehand: the bytes that the bare server answers. */
  sample: string;
  reachRatio: number | null;
}

/** Drives the API and a bare HTTPS server that answers the same bytes, in turn, and reports the ratio. */
async function compare(bench: Bench, { name, paths, sample, reachRatio }: Comparison): Promise<void> {
  const { body } = await get(bench, sample);
  const bodyFile = join(bench.dataDir, "bare-body.json");
  await writeFile(bodyFile, body);
  const tls = join(bench.dataDir, "tls");
  const bare = await start(
    [
      fileURLToPath(new URL("bare-server.ts", import.meta.url)),
      String(barePort),
      join(tls, "server-key.pem"),
      join(tls, "server.pem"),
      bodyFile,
    ],
    {},
    /bare ready/,
  );
  const headers = { authorization: `Bearer ${bench.key}`, accept: "application/json" };
  const ours: Burst[] = [];
  const theirs: Burst[] = [];
  try {
    for (let round = 0; round < bench.rounds; round++) {
      const load = { paths: paths(round), headers, connections, seconds: bench.seconds };
      theirs.push(await burst({ ...load, origin: `https://127.0.0.1:${barePort}` }));
      ours.push(await burst({ ...load, origin: bench.origin }));
    }
  } finally {
    await bare.stop();
  }
  const failures = ours.reduce((sum, its) => sum + its.failures, 0);
  if (failures > 0) throw new Error(`${name}: ${failures} requests failed.`);
  const ratios = ours.map((its, round) => its.requestsPerSecond / (theirs[round]?.requestsPerSecond ?? Number.NaN));
  const of = (bursts: Burst[], field: keyof Burst) => median(bursts.map((its) => its[field]));
  const row = (what: string, value: number, unit: string) =>
    bench.report({ case: `${name}: ${what}`, value, unit, reach: null });
  row("bare server", of(theirs, "requestsPerSecond"), "requests/s");
  row("API", of(ours, "requestsPerSecond"), "requests/s");
  row("API p50", of(ours, "p50Ms"), "ms");
  row("API p99", of(ours, "p99Ms"), "ms");
  bench.report({
    case: `${name}: ratio`,
    value: median(ratios),
    unit: "of bare",
    reach: reachRatio === null ? null : { min: reachRatio },
  });
}

/** GET /beats out of a warm cache: key, limit and log included. */
export const warmList = (bench: Bench): Promise<void> =>
  compare(bench, { name: "GET /beats, warm cache", sample: "/v1/beats", paths: () => ["/v1/beats"], reachRatio: 0.6 });

/** Each beat is asked for once. */
export async function beatsById(bench: Bench): Promise<void> {
  const ids = shuffled(await count(bench));
  const share = Math.floor(ids.length / bench.rounds);
  await compare(bench, {
    name: "GET /beats/{id}, uncached",
    sample: `/v1/beats/${ids[0]}`,
    paths: (round) => ids.slice(round * share, (round + 1) * share).map((id) => `/v1/beats/${id}`),
    reachRatio: 0.15,
  });
}

/** Pages at every depth, of every order, by genre and by producer: none twice. */
export async function pagesOnce(bench: Bench): Promise<void> {
  const total = await count(bench);
  const { body } = await get(bench, "/v1/genres");
  const genres = (JSON.parse(body) as { data: { genres: { id: number; beats_count: number }[] } }).data.genres;
  const sorts = ["newest", "popular", "price_asc", "price_desc"];
  const all = sorts.flatMap((sort) => [
    ...Array.from({ length: Math.floor(total / 20) }, (_, page) => `/v1/beats?page=${page + 1}&sort=${sort}`),
    ...genres.flatMap((genre) =>
      Array.from(
        { length: Math.floor(genre.beats_count / 20) },
        (_, page) => `/v1/beats?genre=${genre.id}&page=${page + 1}&sort=${sort}`,
      ),
    ),
    ...Array.from({ length: 10_000 }, (_, producer) => `/v1/beats?producer=${producer + 1}&sort=${sort}`),
  ]);
  const order = shuffled(all.length).map((position) => all[position - 1] ?? "");
  const share = Math.floor(order.length / bench.rounds);
  await compare(bench, {
    name: "GET /beats, filters and depths never repeated",
    sample: "/v1/beats?page=2",
    paths: (round) => order.slice(round * share, (round + 1) * share),
    reachRatio: 0.08,
  });
}

/** Follows next_page_url from the first page of the catalogue to the last, one request at a time. */
export async function crawl(bench: Bench): Promise<void> {
  const durationsMs: number[] = [];
  const seen = new Set<number>();
  let path: string | null = "/v1/beats?limit=100";
  while (path !== null) {
    const startedMs = performance.now();
    const { body } = await get(bench, path);
    durationsMs.push(performance.now() - startedMs);
    const { data } = JSON.parse(body) as {
      data: { beats: { id: number }[]; pagination: { next_page_url: string | null } };
    };
    for (const { id } of data.beats) seen.add(id);
    path =
      data.pagination.next_page_url === null ? null : data.pagination.next_page_url.replace(/^https:\/\/[^/]+/, "");
  }
  if (seen.size !== (await count(bench))) throw new Error(`The crawl saw ${seen.size} beats.`);
  const share = Math.floor(durationsMs.length / 10);
  const first = median(durationsMs.slice(0, share));
  const last = median(durationsMs.slice(-share));
  bench.report({ case: "crawl: pages", value: durationsMs.length, unit: "pages", reach: null });
  bench.report({ case: "crawl: a page of the first tenth", value: first, unit: "ms", reach: null });
  bench.report({ case: "crawl: a page of the last tenth", value: last, unit: "ms", reach: null });
  bench.report({ case: "crawl: last tenth to first tenth", value: last / first, unit: "ratio", reach: { max: 1.5 } });
}

async function count(bench: Bench): Promise<number> {
  const { body } = await get(bench, "/v1/beats?limit=1");
  return (JSON.parse(body) as { data: { pagination: { total: number } } }).data.pagination.total;
}

/** The numbers 1 to n, in an order that is random and the same every time. */
function shuffled(n: number): number[] {
  const numbers = Array.from({ length: n }, (_, index) => index + 1);
  let state = 42;
  for (let at = n - 1; at > 0; at--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = state % (at + 1);
    [numbers[at], numbers[other]] = [numbers[other] ?? 0, numbers[at] ?? 0];
  }
  return numbers;
}
