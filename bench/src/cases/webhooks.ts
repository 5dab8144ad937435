import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Bench } from "../bench.ts";
import { burst } from "../load.ts";
import { type Running, start } from "../programs.ts";
import { median } from "../report.ts";

const run = promisify(execFile);
const receiverPort = 18_445;
const receiver = `http://127.0.0.1:${receiverPort}`;
const endpoints = 64;
const eventsPerRound = 100;
const bodyBytes = 520;
const backlog = { endpoints: 20, events: 50_000 };

/** Deliveries a second to 64 endpoints, each durable and written down, against a loop that only posts. */
export async function webhookSpeed(bench: Bench): Promise<void> {
  await withReceiver(async () => {
    await load(bench, "endpoints", `${receiver}/fast`, endpoints);
    await load(bench, "emit", 20);
    const bare: number[] = [];
    const ours: number[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      const count = eventsPerRound * endpoints;
      const posts = [`${receiver}/fast`, String(count), String(endpoints), String(bodyBytes)];
      bare.push(
        (await json<{ requestsPerSecond: number }>(new URL("../../programs/bare-posts.ts", import.meta.url), posts))
          .requestsPerSecond,
      );
      const { committedMs, finishedMs } = await load<{ committedMs: number; finishedMs: number }>(
        bench,
        "emit",
        eventsPerRound,
      );
      ours.push(count / ((finishedMs - committedMs) / 1000));
    }
    const ratios = ours.map((its, round) => its / (bare[round] ?? Number.NaN));
    bench.report({ case: "webhooks: bare posts", value: median(bare), unit: "requests/s", reach: null });
    bench.report({ case: "webhooks: deliveries", value: median(ours), unit: "deliveries/s", reach: null });
    bench.report({ case: "webhooks: ratio", value: median(ratios), unit: "of bare", reach: { min: 0.3 } });
  });
}

/** From commit to receipt, at 100 events a second, alone and beside 50 endpoints that hang. */
export async function webhookLatency(bench: Bench): Promise<void> {
  await withReceiver(async () => {
    await load(bench, "endpoints", `${receiver}/timed`, 1);
    await report(bench, "webhooks: commit to receipt", { p50: 25, p99: 150 });
    await load(bench, "backlog", `${receiver}/hang`, 50, 100);
    await report(bench, "webhooks: beside 50 that hang", { p50: null, p99: 1_000 });
    await load(bench, "endpoints", `${receiver}/none`, 0);
  });
}

async function report(bench: Bench, name: string, reach: { p50: number | null; p99: number }): Promise<void> {
  const { committedMs } = await load<{ committedMs: number[] }>(bench, "steady", bench.seconds * 100, 10);
  // What came last may still be on its way.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const receivedMs = (await (await fetch(`${receiver}/log`)).json()) as Record<string, number>;
  const latencies = committedMs
    .map((at, n) => (receivedMs[n] ?? Number.POSITIVE_INFINITY) - at)
    .toSorted((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  bench.report({
    case: `${name}, p50`,
    value: at(0.5),
    unit: "ms",
    reach: reach.p50 === null ? null : { max: reach.p50 },
  });
  bench.report({ case: `${name}, p99`, value: at(0.99), unit: "ms", reach: { max: reach.p99 } });
}

/** A million deliveries that wait slow neither the API nor the claim of others. */
export async function webhookBacklog(bench: Bench): Promise<void> {
  await withReceiver(async () => {
    await load(bench, "endpoints", `${receiver}/none`, endpoints);
    const reads = async () => {
      const rates: number[] = [];
      for (let round = 0; round < bench.rounds; round++) {
        const headers = { authorization: `Bearer ${bench.key}`, accept: "application/json" };
        const hot = { origin: bench.origin, paths: ["/v1/beats"], headers, connections: 32, seconds: bench.seconds };
        rates.push((await burst(hot)).requestsPerSecond);
      }
      return median(rates);
    };
    const claim = async () => median((await load<{ durationsMs: number[] }>(bench, "claims", 200)).durationsMs);
    const before = { reads: await reads(), claimMs: await claim() };
    bench.say(`queueing ${backlog.endpoints * backlog.events} deliveries …`);
    const { pending } = await load<{ pending: number }>(
      bench,
      "backlog",
      `${receiver}/hang`,
      backlog.endpoints,
      backlog.events,
    );
    const after = { reads: await reads(), claimMs: await claim() };
    await load(bench, "endpoints", `${receiver}/none`, 0);
    bench.report({ case: "webhooks: backlog", value: pending, unit: "deliveries", reach: null });
    bench.report({
      case: "webhooks: hot reads beside it",
      value: after.reads / before.reads,
      unit: "of without",
      reach: { min: 0.8 },
    });
    bench.report({ case: "webhooks: claim of 50", value: before.claimMs, unit: "ms", reach: null });
    bench.report({
      case: "webhooks: claim beside it",
      value: after.claimMs / before.claimMs,
      unit: "of without",
      reach: { max: 2 },
    });
  });
}

async function withReceiver(work: () => Promise<void>): Promise<void> {
  const program: Running = await start(
    [fileURLToPath(new URL("../../programs/receiver.ts", import.meta.url)), String(receiverPort)],
    {},
    /receiver ready/,
  );
  try {
    await work();
  } finally {
    await program.stop();
  }
}

/** Runs a task of server/tools/webhook-load.main.ts beside the server of the bench. */
const load = <Answer>({ dataDir }: Bench, ...parameters: (string | number)[]): Promise<Answer> =>
  json(new URL("../../../server/tools/webhook-load.main.ts", import.meta.url), parameters.map(String), {
    DATA_DIR: dataDir,
  });

async function json<Answer>(program: URL, parameters: string[], env: Record<string, string> = {}): Promise<Answer> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await run(process.execPath, [fileURLToPath(program), ...parameters], options);
  return JSON.parse(stdout) as Answer;
}
