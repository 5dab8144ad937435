import type { Bench } from "../../bench.ts";
import { cpuMillis } from "../../load/cpu.ts";
import { post } from "../../load/request.ts";
import { withDatabase } from "../../processes/database.ts";
import { median } from "../../report/statistics.ts";

/**
 * The number of calls in a burst. The system counts the CPU time of a process in steps of 10 ms, so a burst must take
 * some seconds to be measured to a percent.
 */
const ordersOfBurst = 600;
const targetRatio = 1.1;

/**
 * Compares the CPU of server and PostgreSQL for an order with the license log and without it, in turns. The log adds
 * the order's leaf, and a share of the writes of tiles and checkpoints.
 */
export async function licenseLog(bench: Bench): Promise<void> {
  let next = 0;
  const order = () =>
    post(bench, "/v1/orders", {
      beat_id: 1 + (next++ % Math.min(bench.beats, 10_000)),
      payment_method: "pm_card_visa",
    });
  const withLog: number[] = [];
  const without: number[] = [];
  try {
    // The first round only warms up the JIT compiler. The sides take turns to go first, so that the growing table
    // affects both equally.
    for (let round = -1; round < bench.rounds; round++) {
      const sides = round % 2 === 0 ? [true, false] : [false, true];
      for (const isOn of sides) {
        await (isOn ? enableLog(bench) : disableLog(bench));
        const millis = await cpuMillis(bench, ordersOfBurst, order);
        if (millis === null) {
          bench.report({ case: "license log: CPU", value: null, unit: "needs /proc, as on Linux", target: null });
          return;
        }
        if (round >= 0) (isOn ? withLog : without).push(millis);
      }
    }
  } finally {
    await enableLog(bench);
  }
  const ratio = median(withLog.map((each, round) => each / (without[round] ?? Number.NaN)));
  bench.report({ case: "license log: an order with it", value: median(withLog), unit: "ms of CPU", target: null });
  bench.report({ case: "license log: an order without it", value: median(without), unit: "ms of CPU", target: null });
  bench.report({
    case: "license log: an order with it relative to one without it",
    value: ratio,
    unit: "× the CPU time",
    target: { max: targetRatio },
  });
}

const enableLog = ({ databaseUrl }: Bench): Promise<unknown> =>
  withDatabase(databaseUrl, (client) => client.query("alter table orders enable trigger orders_completed_leaf"));

/** Orders that complete while the log is off get no leaf, so that there is nothing to publish either. */
const disableLog = ({ databaseUrl }: Bench): Promise<unknown> =>
  withDatabase(databaseUrl, (client) => client.query("alter table orders disable trigger orders_completed_leaf"));
