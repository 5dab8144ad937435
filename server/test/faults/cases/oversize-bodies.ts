import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Fault } from "../fault.ts";
import { makeKey } from "../stage/stage.ts";

const exec = promisify(execFile);
const clientsFolder = join(import.meta.dirname, "../clients");

/** The request that a client of `clients/` sends repeatedly. Its body consists of spaces. */
export interface OversizeJob {
  origin: string;
  path: string;
  headers: Record<string, string>;
  caFile: string;
  bytes: number;
  isChunked: boolean;
  runs: number;
}

interface BodyClient {
  name: string;
  /** A program with arguments that succeeds if the machine has the client. */
  probe: readonly [string, ...string[]];
  /** Runs a job and prints the number of each outcome, as JSON. */
  program: readonly [string, ...string[]];
  /** The features that the client lacks. */
  lacks?: { chunked?: boolean; expect?: boolean };
}

const node = process.execPath;
const clients: readonly BodyClient[] = [
  { name: "curl", probe: ["curl", "--version"], program: [node, "curl.main.ts"] },
  { name: "node fetch", probe: [node, "--version"], program: [node, "node-fetch.main.ts"], lacks: { expect: true } },
  { name: "Python http.client", probe: ["python3", "--version"], program: ["python3", "http_client.py"] },
  { name: "Python requests", probe: ["python3", "-c", "import requests"], program: ["python3", "requests_client.py"] },
  { name: "Ruby Net::HTTP", probe: ["ruby", "--version"], program: ["ruby", "net_http.rb"] },
  { name: "PHP curl", probe: ["php", "-r", "curl_init();"], program: ["php", "curl_client.php"] },
  { name: "PHP streams", probe: ["php", "--version"], program: ["php", "streams.php"], lacks: { chunked: true } },
  { name: "16 kB writes", probe: [node, "--version"], program: [node, "raw-writes.main.ts"] },
];
const sizes = { "200 kB": 200_000, "5 MB": 5_000_000, "50 MB": 50_000_000 };
/** The number of requests of each client and size, distributed over the ways to connect. */
const runsOf = { whole: 100, short: 8 };
const expected = "413 Payload too large";

export const oversizeBodies: Fault = {
  name: "oversize-bodies",
  about: "eight clients send bodies of up to 50 MB to operations that accept 100 kB",
  run: async (stage, report, extent) => {
    const postgres = await stage.postgres();
    const db = stage.connect(postgres);
    const databaseUrl = stage.databaseUrl(postgres);
    const servers = [stage.serve(0, databaseUrl), stage.serve(1, databaseUrl, { TLS: "off" })] as const;
    for (const { ready } of servers) await ready;
    const caFile = join(stage.folder, "ca.pem");
    await writeFile(caFile, servers[0].address.ca);
    const authorization = `Bearer ${await makeKey(db, "oversize@example.com")}`;
    const origins = servers.map(({ address }) => address.origin);

    for (const { name, probe, program, lacks = {} } of clients) {
      if (!(await succeeds(probe))) {
        report.skip(name, "this machine has none");
        continue;
      }
      for (const [size, bytes] of Object.entries(sizes)) {
        const connectionsToTry = origins.flatMap((origin) =>
          [false, true].flatMap((isChunked) => [false, true].map((expects) => ({ origin, isChunked, expects }))),
        );
        const possible = connectionsToTry.filter(
          ({ isChunked, expects }) => !(isChunked && lacks.chunked) && !(expects && lacks.expect),
        );
        const outcomes: Record<string, number> = {};
        for (const [index, { origin, isChunked, expects }] of possible.entries()) {
          const runs = Math.floor((runsOf[extent] + index) / possible.length);
          const headers = {
            Authorization: authorization,
            "Content-Type": "application/json",
            "X-Forwarded-Proto": "https",
            ...(expects && { Expect: "100-continue" }),
          };
          const job = { origin, path: "/v1/orders", headers, caFile, bytes, isChunked, runs };
          for (const [outcome, count] of Object.entries(await play(program, job)))
            outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
        }
        const tally = Object.entries(outcomes).map(([outcome, count]) => `${outcome} × ${count}`);
        const isHeld = outcomes[expected] === runsOf[extent] && tally.length === 1;
        report.check(`${name}, ${size}`, isHeld, tally.join(", "));
      }
    }
  },
};

const succeeds = ([program, ...args]: readonly [string, ...string[]]): Promise<boolean> =>
  exec(program, args).then(
    () => true,
    () => false,
  );

/** Runs a client. Returns the number of each outcome. */
async function play(
  [program, ...args]: readonly [string, ...string[]],
  job: OversizeJob,
): Promise<Record<string, number>> {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_EXTRA_CA_CERTS: job.caFile,
    JOB: JSON.stringify(job),
  };
  try {
    return JSON.parse((await exec(program, args, { cwd: clientsFolder, env, timeout: 300_000 })).stdout);
  } catch (error) {
    return { [String(error).slice(0, 300)]: job.runs };
  }
}
