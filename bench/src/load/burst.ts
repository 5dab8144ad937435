import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import autocannon from "autocannon";

const run = promisify(execFile);

/** The result of one burst of requests. */
export interface Burst {
  /** Responses with a status of 2xx or 3xx. */
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Other responses, and broken connections. */
  failures: number;
}

export interface Load {
  origin: string;
  /** Paths that all connections together request in turn, from the first again after the last. */
  paths: readonly string[];
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

let wrkPresent: boolean | undefined;

/**
 * Sends requests without pause on every connection (closed loop): with wrk if it is installed, else with autocannon.
 */
export async function burst(load: Load): Promise<Burst> {
  wrkPresent ??= await run("wrk", ["--version"]).then(
    () => true,
    (error: { code?: unknown }) => error.code !== "ENOENT",
  );
  return wrkPresent ? withWrk(load) : withAutocannon(load);
}

export const driverName = (): string => (wrkPresent === true ? "wrk" : "autocannon");

async function withWrk({ origin, paths, headers, connections, seconds }: Load): Promise<Burst> {
  const dir = await mkdtemp(join(tmpdir(), "beatmarket-wrk-"));
  try {
    const script = join(dir, "paths.lua");
    const list = join(dir, "paths.txt");
    await writeFile(list, paths.join("\n"));
    await writeFile(
      script,
      `local paths = {}
for line in io.lines(${JSON.stringify(list)}) do paths[#paths + 1] = line end
local at = 0
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join("\n")}
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
`,
    );
    const { stdout } = await run("wrk", [
      "-t1",
      `-c${connections}`,
      `-d${seconds}s`,
      "--timeout",
      "10s",
      "--latency",
      "-s",
      script,
      origin,
    ]);
    return wrkResult(stdout, seconds);
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** Parses the output of wrk. The rate excludes refused requests. */
export function wrkResult(text: string, seconds: number): Burst {
  const refusedCount = Number(/Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? 0);
  const brokenCounts = Array.from(
    (/Socket errors: .*/.exec(text)?.[0] ?? "").matchAll(/(?:connect|read|write|timeout) (\d+)/g),
  );
  return {
    requestsPerSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]) - refusedCount / seconds,
    p50Ms: milliseconds(/50%\s+([\d.]+\w+)/.exec(text)?.[1]),
    p99Ms: milliseconds(/99%\s+([\d.]+\w+)/.exec(text)?.[1]),
    failures: refusedCount + brokenCounts.reduce((sum, [, count]) => sum + Number(count), 0),
  };
}

const unitMs: Record<string, number> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 };

function milliseconds(text = ""): number {
  const [, amount, unit = ""] = /^([\d.]+)(us|ms|s|m)$/.exec(text) ?? [];
  return Number(amount) * (unitMs[unit] ?? Number.NaN);
}

async function withAutocannon({ origin, paths, headers, connections, seconds }: Load): Promise<Burst> {
  let pathIndex = 0;
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    headers,
    requests: [
      {
        method: "GET",
        setupRequest: (request) => ({ ...request, path: paths[pathIndex++ % paths.length] ?? "/" }),
      },
    ],
  });
  const refusedCount = result["1xx"] + result["4xx"] + result["5xx"];
  return {
    requestsPerSecond: result.requests.average - refusedCount / seconds,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: refusedCount + result.errors + result.timeouts,
  };
}
