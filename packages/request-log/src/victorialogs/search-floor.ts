import type { VictoriaLogsClient } from "./client.ts";
import { type Times, within } from "./logsql.ts";
import { nsOf, nsOfText } from "./times.ts";

const hourNs = nsOf(3_600_000);
/** First the newest hour is counted, then a day, then all: most searches end early. */
const spansNs = [hourNs, 24n * hourNs];
/** Calls are counted by hour; of an hour with too many by minute, then by second. */
const steps = [
  { name: "1h", ns: hourNs },
  { name: "1m", ns: nsOf(60_000) },
  { name: "1s", ns: nsOf(1_000) },
];

/**
 * The oldest call that a search may look at, so that it looks at no more than `most` of those that `scope` selects, in whole
 * seconds and at least one; null if all of them are few enough.
 */
export async function searchFloor(
  client: VictoriaLogsClient,
  { scope, times, nowMs }: { scope: string; times: Times; nowMs: number },
  most: number,
): Promise<bigint | null> {
  let left = most;
  let floor: bigint | null = null;

  /** Returns true if the calls of these times are not too many. */
  async function take(range: Times, [step, ...finer]: typeof steps): Promise<boolean> {
    if (step === undefined) return false;
    const query = `${scope} ${within(range)} | stats by (_time:${step.name}) count() calls, min(_time) first`;
    const counted = (await client.query(query)).map(({ _time = "", first = "", calls }) => ({
      startNs: nsOfText(_time),
      firstNs: nsOfText(first),
      calls: Number(calls),
    }));
    for (const { startNs, firstNs, calls } of counted.sort((a, b) => (a.startNs < b.startNs ? 1 : -1))) {
      if (calls > left && (finer.length > 0 || floor !== null)) {
        if (left > 0 || floor === null)
          await take({ fromNs: latest(range.fromNs, startNs), endNs: earliest(range.endNs, startNs + step.ns) }, finer);
        return false;
      }
      floor = firstNs;
      left -= calls;
      if (left < 0) return false;
    }
    return true;
  }

  let { endNs } = times;
  const newest = endNs ?? nsOf(nowMs);
  for (const spanNs of spansNs) {
    const fromNs = latest(times.fromNs, newest - spanNs);
    if (!(await take({ fromNs, endNs }, steps))) return floor;
    if (fromNs === times.fromNs) return null;
    endNs = fromNs;
  }
  return (await take({ fromNs: times.fromNs, endNs }, steps)) ? null : floor;
}

const latest = (one: bigint | undefined, other: bigint): bigint => (one !== undefined && one > other ? one : other);
const earliest = (one: bigint | undefined, other: bigint): bigint => (one !== undefined && one < other ? one : other);
