import type { Bench } from "../../bench.ts";
import { compareWithBare, loadOf } from "../../load/compare-with-bare.ts";
import { get } from "../../load/request.ts";
import { inTurns, medianOf, shareOf } from "../../load/turns.ts";

const list = "/v1/beats";
const beat = "/v1/beats/1";

/** Requests the same path over and over, with an API key, the rate limit and the request log. */
export async function warm(bench: Bench): Promise<void> {
  await compareWithBare(bench, { name: "GET /beats, warm", sample: list, paths: () => [list], targetRatio: 0.85 });
  await compareWithBare(bench, { name: "GET /beats/{id}, warm", sample: beat, paths: () => [beat], targetRatio: 0.7 });
  const { etag = "" } = (await get(bench, list)).headers;
  await compareWithBare(bench, {
    name: "GET /beats, 304",
    sample: list,
    paths: () => [list],
    headers: { "if-none-match": etag },
    status: 304,
    targetRatio: 0.7,
  });
}

/** Compares a compressed page of beats, which is compressed once, with the same page uncompressed. */
export async function encodings(bench: Bench): Promise<void> {
  const accepting = (encoding: string) => ({
    load: () => loadOf(bench, bench, ["/v1/beats?limit=100"], { "accept-encoding": encoding }),
  });
  const { identity: uncompressedBursts, ...compressedBursts } = await inTurns(bench, "100 beats", {
    identity: accepting("identity"),
    gzip: accepting("gzip"),
    br: accepting("br"),
  });
  const rate = medianOf(uncompressedBursts, "requestsPerSecond");
  bench.report({ case: "100 beats as they are", value: rate, unit: "requests/s", target: null });
  for (const [name, bursts] of Object.entries(compressedBursts)) {
    const value = shareOf(bursts, uncompressedBursts);
    bench.report({ case: `100 beats in ${name}: ratio`, value, unit: "× the rate uncompressed", target: { min: 0.5 } });
  }
}
