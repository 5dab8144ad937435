import type { Bench } from "../../bench.ts";
import { cpuMillis } from "../../load/cpu.ts";
import { get, post, readData } from "../../load/request.ts";
import { shuffled } from "../../load/shuffle.ts";
import { median } from "../../report/statistics.ts";

/**
 * The number of calls in a burst. The system counts the CPU time of a process in steps of 10 ms, so a burst must take
 * some seconds to be measured to a percent.
 */
const callsOfBurst = 2_000;
const licenses = 100;
const targetRatio = 2;

/**
 * Measures the CPU time of server and PostgreSQL for asking whether a license allows a use and, in alternating bursts,
 * for reading a beat by its id. No beat is read twice.
 */
export async function askLicense(bench: Bench): Promise<void> {
  bench.say(`buying ${licenses} licenses …`);
  const licenseIds = await issueLicenses(bench);
  const beatIds = shuffled(bench.beats);
  let next = 0;
  const ask = () =>
    post(
      bench,
      `/v1/licenses/${licenseIds[next++ % licenses]}/may`,
      // Every second answer is negative, for which the server also searches for a license that allows the use.
      { use: "streams", quantity: next % 2 === 0 ? 10 : 10_000_000 },
      200,
    );
  const readBeat = () => get(bench, `/v1/beats/${beatIds[next++ % beatIds.length]}`);
  const answers: number[] = [];
  const reads: number[] = [];
  // The first round only warms up the JIT compiler.
  for (let round = -1; round < bench.rounds; round++) {
    const [answerCpu, readCpu] = [
      await cpuMillis(bench, callsOfBurst, ask),
      await cpuMillis(bench, callsOfBurst, readBeat),
    ];
    if (answerCpu === null || readCpu === null) {
      bench.report({ case: "may: CPU", value: null, unit: "needs /proc, as on Linux", target: null });
      return;
    }
    if (round >= 0) {
      answers.push(answerCpu);
      reads.push(readCpu);
    }
  }
  const ratio = median(answers.map((each, round) => each / (reads[round] ?? Number.NaN)));
  bench.report({ case: "may: an answer of a license", value: median(answers), unit: "ms of CPU", target: null });
  bench.report({ case: "may: a beat by its id", value: median(reads), unit: "ms of CPU", target: null });
  bench.report({
    case: "may: relative to a beat by its id",
    value: ratio,
    unit: "× the CPU time",
    target: { max: targetRatio },
  });
}

/** Buys licenses, and lists their files, which issues their certificates. */
async function issueLicenses(bench: Bench): Promise<string[]> {
  const ids: string[] = [];
  for (let beat = 1; beat <= licenses; beat++) {
    const { body } = await post(bench, "/v1/orders", { beat_id: beat, payment_method: "pm_card_visa" });
    const { id } = (JSON.parse(body) as { data: { order: { id: number } } }).data.order;
    const { license } = await readData<{ license: { id: string } }>(bench, `/v1/orders/${id}/files`);
    ids.push(license.id);
  }
  return ids;
}
