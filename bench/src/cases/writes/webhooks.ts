import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Bench } from "../../bench.ts";
import { medianBeatMs } from "../../load/beside-beats.ts";
import { burst } from "../../load/burst.ts";
import { withDatabase } from "../../processes/database.ts";
import { freePort } from "../../processes/free-port.ts";
import { start } from "../../processes/programs.ts";
import { median, percentile } from "../../report/statistics.ts";

const run = promisify(execFile);
const endpoints = 64;
const eventsPerRound = 100;
const bodyBytes = 520;
const backlog = { endpoints: 20, events: 50_000 };

/**
 * Compares the rate of deliveries to 64 endpoints, each stored and recorded, with a loop that only sends POST requests.
 */
export async function webhookSpeed(bench: Bench): Promise<void> {
  await withReceiver(async (receiver) => {
    await runLoadTask(bench, "endpoints", `${receiver}/fast`, endpoints);
    await runLoadTask(bench, "emit", 20);
    const bareRates: number[] = [];
    const ownRates: number[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      const count = eventsPerRound * endpoints;
      const posts = [`${receiver}/fast`, String(count), String(endpoints), String(bodyBytes)];
      bareRates.push(
        (
          await runForJson<{ requestsPerSecond: number }>(
            new URL("../../../programs/bare-posts.ts", import.meta.url),
            posts,
          )
        ).requestsPerSecond,
      );
      const { committedMs, finishedMs } = await runLoadTask<{ committedMs: number; finishedMs: number }>(
        bench,
        "emit",
        eventsPerRound,
      );
      ownRates.push(count / ((finishedMs - committedMs) / 1000));
    }
    const ratios = ownRates.map((rate, round) => rate / (bareRates[round] ?? Number.NaN));
    bench.report({ case: "webhooks: bare posts", value: median(bareRates), unit: "requests/s", target: null });
    bench.report({ case: "webhooks: deliveries", value: median(ownRates), unit: "deliveries/s", target: null });
    bench.report({
      case: "webhooks: ratio",
      value: median(ratios),
      unit: "× the rate of bare posts",
      target: { min: 0.3 },
    });
  });
}

/**
 * Measures the time from commit to receipt at 100 events a second, as multiples of the time of a beat by id, and again
 * with 50 additional endpoints that hang.
 */
export async function webhookLatency(bench: Bench): Promise<void> {
  await withReceiver(async (receiver) => {
    await runLoadTask(bench, "endpoints", `${receiver}/timed`, 1);
    const beatMs = await medianBeatMs(bench);
    const alone = await measureLatency(bench, receiver, "webhooks: commit to receipt");
    await runLoadTask(bench, "backlog", `${receiver}/hang`, 50, 100);
    const besideHanging = await measureLatency(bench, receiver, "webhooks: beside 50 that hang");
    await runLoadTask(bench, "endpoints", `${receiver}/none`, 0);
    const row = (name: string, value: number, max: number) =>
      bench.report({ case: `webhooks: ${name}`, value, unit: "×", target: { max } });
    row("commit to receipt, p50 relative to a beat by id", alone.p50 / beatMs, 60);
    row("commit to receipt, p99 relative to a beat by id", alone.p99 / beatMs, 300);
    row("beside 50 that hang, p99 relative to p99 alone", besideHanging.p99 / alone.p99, 5);
  });
}

/** In milliseconds. */
interface Latency {
  p50: number;
  p99: number;
}

async function measureLatency(bench: Bench, receiver: string, name: string): Promise<Latency> {
  const { committedMs } = await runLoadTask<{ committedMs: number[] }>(bench, "steady", bench.seconds * 100, 10);
  // The last deliveries may still be in flight.
  await sleep(1_000);
  const receivedMs = (await (await fetch(`${receiver}/log`)).json()) as Record<string, number>;
  const durationsMs = committedMs.map((commitMs, n) => (receivedMs[n] ?? Number.POSITIVE_INFINITY) - commitMs);
  const latency = { p50: percentile(durationsMs, 0.5), p99: percentile(durationsMs, 0.99) };
  bench.report({ case: `${name}, p50`, value: latency.p50, unit: "ms", target: null });
  bench.report({ case: `${name}, p99`, value: latency.p99, unit: "ms", target: null });
  return latency;
}

/** Measures the effect of a million waiting deliveries on reads and on the claims of other deliveries. */
export async function webhookBacklog(bench: Bench): Promise<void> {
  await withReceiver(async (receiver) => {
    await runLoadTask(bench, "endpoints", `${receiver}/none`, endpoints);
    const reads = async () => {
      const rates: number[] = [];
      for (let round = 0; round < bench.rounds; round++) {
        const headers = { authorization: `Bearer ${bench.key}`, accept: "application/json" };
        const hot = { origin: bench.origin, paths: ["/v1/beats"], headers, connections: 32, seconds: bench.seconds };
        rates.push((await burst(hot)).requestsPerSecond);
      }
      return median(rates);
    };
    const claim = async () => median((await runLoadTask<{ durationsMs: number[] }>(bench, "claims", 200)).durationsMs);
    const before = { reads: await reads(), claimMs: await claim() };
    bench.say(`queueing ${backlog.endpoints * backlog.events} deliveries …`);
    const { pending } = await runLoadTask<{ pending: number }>(
      bench,
      "backlog",
      `${receiver}/hang`,
      backlog.endpoints,
      backlog.events,
    );
    // Otherwise the measured reads would run beside the autovacuum of the new rows.
    await withDatabase(bench.databaseUrl, (client) => client.query("vacuum (analyze) webhook_deliveries"));
    const after = { reads: await reads(), claimMs: await claim() };
    await runLoadTask(bench, "endpoints", `${receiver}/none`, 0);
    bench.report({ case: "webhooks: backlog", value: pending, unit: "deliveries", target: null });
    bench.report({
      case: "webhooks: hot reads beside it",
      value: after.reads / before.reads,
      unit: "× the rate without it",
      target: { min: 0.8 },
    });
    bench.report({ case: "webhooks: claim of 50", value: before.claimMs, unit: "ms", target: null });
    bench.report({
      case: "webhooks: claim beside it",
      value: after.claimMs / before.claimMs,
      unit: "× the time without it",
      target: { max: 2 },
    });
  });
}

/** Runs `work` with the address of a receiver of webhooks. */
async function withReceiver(work: (receiver: string) => Promise<void>): Promise<void> {
  const port = await freePort();
  const program = fileURLToPath(new URL("../../../programs/receiver.ts", import.meta.url));
  const { stop } = await start([program, String(port)], {}, /receiver ready/);
  try {
    await work(`http://127.0.0.1:${port}`);
  } finally {
    await stop();
  }
}

/** Runs a task of server/tools/load/webhook-load.main.ts on the data folder of the bench's running server. */
const runLoadTask = <Result>({ dataDir }: Bench, ...parameters: (string | number)[]): Promise<Result> =>
  runForJson(new URL("../../../../server/tools/load/webhook-load.main.ts", import.meta.url), parameters.map(String), {
    DATA_DIR: dataDir,
  });

async function runForJson<Result>(
  program: URL,
  parameters: string[],
  env: Record<string, string> = {},
): Promise<Result> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await run(process.execPath, [fileURLToPath(program), ...parameters], options);
  return JSON.parse(stdout) as Result;
}
