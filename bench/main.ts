import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Bench } from "./src/bench.ts";
import { clientLibraries } from "./src/clients.ts";
import { importSpeed } from "./src/import.ts";
import { burst, driverName } from "./src/load.ts";
import { longOrderList, orderSpeed } from "./src/orders.ts";
import { beatmarket, serve } from "./src/programs.ts";
import { beatsById, crawl, pagesOnce, warmList } from "./src/reads.ts";
import { isReached, machineRow, type Row, readableRow } from "./src/report.ts";
import { webhookBacklog, webhookLatency, webhookSpeed } from "./src/webhooks.ts";

const help = `Measures the service on the real catalogue and compares it with a bare HTTPS server in the same run.

  npm run bench                      everything (under 12 minutes)
  npm run bench -- --only crawl      cases whose name contains a word: import, warm, by-id, pages, crawl, order, webhook,
                                     clients
  npm run bench -- --json            one JSON array of {case, value, unit, reach, ok}
  npm run bench -- --seconds 10      length of each burst (default 5); --rounds 5 (default 3)

The catalogue is ../shared/data/tracks_231k.csv.gz, or the file given with --catalogue. The database made of it is kept
in .data-bench for the next run.`;

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "3" },
    catalogue: { type: "string" },
  },
});
if (options.help) {
  console.log(help);
  process.exit(0);
}

const root = fileURLToPath(new URL("../", import.meta.url));
const catalogue = resolve(options.catalogue ?? join(root, "../shared/data/tracks_231k.csv.gz"));
if (!existsSync(catalogue)) {
  console.error(`There is no catalogue at ${catalogue}; name one with --catalogue FILE.`);
  process.exit(1);
}
const dataDir = join(root, ".data-bench");
const port = 18_443;
const env = { DATA_DIR: dataDir, PORT: String(port), DEMO: "off", LOG_LEVEL: "error", WEBHOOK_ALLOW_PRIVATE: "on" };
const rows: Row[] = [];
const say = (text: string) => {
  if (!options.json) console.log(text);
};

const cases: Record<string, (bench: Bench) => Promise<void>> = {
  import: (bench) => importSpeed(bench, catalogue),
  warm: warmList,
  "by-id": beatsById,
  pages: pagesOnce,
  crawl,
  orders: orderSpeed,
  "order-list": longOrderList,
  "webhook-speed": webhookSpeed,
  "webhook-latency": webhookLatency,
  "webhook-backlog": webhookBacklog,
  clients: clientLibraries,
};
const chosen = Object.entries(cases).filter(([name]) => options.only === undefined || name.includes(options.only));
if (chosen.length === 0) {
  console.error(`No case is named like "${options.only}"; there are ${Object.keys(cases).join(", ")}.`);
  process.exit(1);
}

const key = await prepare();
const server = await serve(env);
const bench: Bench = {
  origin: `https://localhost:${port}`,
  key,
  dataDir,
  caFile: join(dataDir, "tls/ca.pem"),
  rounds: Number(options.rounds),
  seconds: Number(options.seconds),
  report: (row) => {
    rows.push(row);
    say(readableRow(row));
  },
  say,
};
try {
  // The first seconds of a process are those of its compiler.
  await burst({
    origin: bench.origin,
    paths: ["/v1/beats", "/v1/beats?limit=100", "/v1/beats/1"],
    headers: { authorization: `Bearer ${key}` },
    connections: 16,
    seconds: 3,
  });
  say(`driven by ${driverName()}, ${bench.rounds} rounds of ${bench.seconds} s each; medians\n`);
  for (const [, measure] of chosen) await measure(bench);
} finally {
  await server.stop();
}
if (options.json) console.log(JSON.stringify(rows.map(machineRow)));
process.exitCode = rows.every(isReached) ? 0 : 1;

/** Loads the catalogue once; later runs find it in `.data-bench`. Returns a key without limits. */
async function prepare(): Promise<string> {
  const keyFile = join(dataDir, "bench-key");
  if (existsSync(keyFile)) return (await readFile(keyFile, "utf8")).trim();
  say(`loading ${catalogue} …`);
  await mkdir(dataDir, { recursive: true });
  const rejects = join(dataDir, "rejects.jsonl");
  say((await beatmarket(["import", catalogue, "--map", "tracks_231k", "--rejects", rejects, "--json"], env)).trim());
  const made = await beatmarket(
    ["keys", "create", "--email", "bench@example.com", "--plan", "internal", "--json"],
    env,
  );
  const { key: its } = JSON.parse(made) as { key: string };
  await writeFile(keyFile, its, { mode: 0o600 });
  return its;
}
