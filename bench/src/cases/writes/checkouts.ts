import type { Bench } from "../../bench.ts";
import { cpuMillis } from "../../load/cpu.ts";
import { post, postForm } from "../../load/request.ts";
import { median } from "../../report/statistics.ts";

const items = 10;
/**
 * The number of calls in a burst. The system counts the CPU time of a process in steps of 10 ms, so a burst must take
 * some seconds to be measured to a percent.
 */
const ordersOfBurst = 400;
const checkoutsOfBurst = 150;
const targetRatio = 3;

interface OpenedCheckout {
  data: { checkout: { url: string } };
}

/**
 * Compares the CPU of server and PostgreSQL for a checkout of ten licenses, from its creation to its completion in the
 * sandbox, with the CPU for one order, in turns. Both write mails and events.
 */
export async function checkouts(bench: Bench): Promise<void> {
  let next = 0;
  const beatId = () => 1 + (next++ % Math.min(bench.beats, 10_000));
  const order = () => post(bench, "/v1/orders", { beat_id: beatId(), payment_method: "pm_card_visa" });
  const checkout = async () => {
    const requestedItems = Array.from({ length: items }, () => ({ beat_id: beatId() }));
    const { body } = await post(bench, "/v1/checkouts", { items: requestedItems });
    const { url } = (JSON.parse(body) as OpenedCheckout).data.checkout;
    await postForm(bench, new URL(url).pathname, { card: "pm_card_visa" });
  };
  const orderMs: number[] = [];
  const checkoutMs: number[] = [];
  // The first round only warms up the JIT compiler.
  for (let round = -1; round < bench.rounds; round++) {
    const [orderCpu, checkoutCpu] = [
      await cpuMillis(bench, ordersOfBurst, order),
      await cpuMillis(bench, checkoutsOfBurst, checkout),
    ];
    if (orderCpu === null || checkoutCpu === null) {
      bench.report({ case: "checkouts: CPU", value: null, unit: "needs /proc, as on Linux", target: null });
      return;
    }
    if (round < 0) continue;
    orderMs.push(orderCpu);
    checkoutMs.push(checkoutCpu);
  }
  const ratio = median(checkoutMs.map((each, round) => each / (orderMs[round] ?? Number.NaN)));
  bench.report({ case: "checkouts: an order", value: median(orderMs), unit: "ms of CPU", target: null });
  bench.report({ case: `checkouts: ${items} licenses`, value: median(checkoutMs), unit: "ms of CPU", target: null });
  bench.report({
    case: `checkouts: ${items} licenses relative to an order`,
    value: ratio,
    unit: "× the CPU time",
    target: { max: targetRatio },
  });
}
