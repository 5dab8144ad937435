import type { VictoriaLogsClient } from "./client.ts";
import { type Times, within } from "./logsql.ts";
import { nsOf, nsOfText } from "./times.ts";

const hourNs = nsOf(3_600_000);
/** Counts the newest hour first, then a day, then all times, because most searches end early. */
const spansNs = [hourNs, 24n * hourNs];
/** Counts calls by hour. In an hour with too many calls, counts them by minute, then by second. */
const steps = [
  { name: "1h", ns: hourNs },
  { name: "1m", ns: nsOf(60_000) },
  { name: "1s", ns: nsOf(1_000) },
];

/**
 * The time of the oldest call that a search may read. From that time on, `scope` selects at most `maxCalls` calls, or
 * the calls of one second. Null if `scope` selects at most `maxCalls` calls in all.
 */
export async function searchFloor(
  client: VictoriaLogsClient,
  { scope, times, nowMs }: { scope: string; times: Times; nowMs: number },
  maxCalls: number,
): Promise<bigint | null> {
  let remainingCalls = maxCalls;
  let floor: bigint | null = null;

  /** Counts the calls of these times, newest first, and lowers `floor`. Returns false when there are too many. */
  async function search(range: Times, [step, ...finer]: typeof steps): Promise<boolean> {
    if (step === undefined) return false;
    const query = `${scope} ${within(range)} | stats by (_time:${step.name}) count() calls, min(_time) first`;
    const counted = (await client.query(query)).map(({ _time = "", first = "", calls }) => ({
      startNs: nsOfText(_time),
      firstNs: nsOfText(first),
      calls: Number(calls),
    }));
    for (const { startNs, firstNs, calls } of counted.sort((a, b) => (a.startNs < b.startNs ? 1 : -1))) {
      if (calls > remainingCalls && (finer.length > 0 || floor !== null)) {
        if (remainingCalls > 0 || floor === null)
          await search(
            { fromNs: latest(range.fromNs, startNs), endNs: earliest(range.endNs, startNs + step.ns) },
            finer,
          );
        return false;
      }
      floor = firstNs;
      remainingCalls -= calls;
      if (remainingCalls < 0) return false;
    }
    return true;
  }

  let { endNs } = times;
  const newest = endNs ?? nsOf(nowMs);
  for (const spanNs of spansNs) {
    const fromNs = latest(times.fromNs, newest - spanNs);
    if (!(await search({ fromNs, endNs }, steps))) return floor;
    if (fromNs === times.fromNs) return null;
    endNs = fromNs;
  }
  return (await search({ fromNs: times.fromNs, endNs }, steps)) ? null : floor;
}

const latest = (one: bigint | undefined, other: bigint): bigint => (one !== undefined && one > other ? one : other);
const earliest = (one: bigint | undefined, other: bigint): bigint => (one !== undefined && one < other ? one : other);
