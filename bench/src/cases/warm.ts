import type { Bench } from "../bench.ts";
import { compareWithBare, loadOf } from "../compare.ts";
import { contest, medianOf, shareOf } from "../contest.ts";
import { get } from "../request.ts";

const list = "/v1/beats";
const beat = "/v1/beats/1";

/** What is asked for again and again: key, limit and log included. */
export async function warm(bench: Bench): Promise<void> {
  await compareWithBare(bench, { name: "GET /beats, warm", sample: list, paths: () => [list], reachRatio: 0.7 });
  await compareWithBare(bench, { name: "GET /beats/{id}, warm", sample: beat, paths: () => [beat], reachRatio: 0.7 });
  const { etag = "" } = (await get(bench, list)).headers;
  await compareWithBare(bench, {
    name: "GET /beats, 304",
    sample: list,
    paths: () => [list],
    headers: { "if-none-match": etag },
    status: 304,
    reachRatio: 0.7,
  });
}

/** A page of beats compressed, which is done once, against the same page as it is. */
export async function encodings(bench: Bench): Promise<void> {
  const asking = (encoding: string) => ({
    load: () => loadOf(bench, bench, ["/v1/beats?limit=100"], { "accept-encoding": encoding }),
  });
  const { identity, ...compressed } = await contest(bench, "100 beats", {
    identity: asking("identity"),
    gzip: asking("gzip"),
    br: asking("br"),
  });
  const rate = medianOf(identity, "requestsPerSecond");
  bench.report({ case: "100 beats as they are", value: rate, unit: "requests/s", reach: null });
  for (const [name, bursts] of Object.entries(compressed)) {
    const value = shareOf(bursts, identity);
    bench.report({ case: `100 beats in ${name}: ratio`, value, unit: "of plain", reach: { min: 0.5 } });
  }
}
