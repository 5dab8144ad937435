import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { brotliDecompressSync } from "node:zlib";
import { bundleBytes, parts } from "./test/bundles.ts";

// Measures the built client against bare node:https in one run. clients/conformance/README.md explains the numbers.

execFileSync(process.execPath, [fileURLToPath(new URL("tools/build.mjs", import.meta.url))]);
const entry = new URL("dist/esm/node.js", import.meta.url).href;
const { BeatMarket } = await import(entry);

// Calls that are not measured: during them, V8 compiles the code, which takes as much time as the calls.
const warmUp = 1_000;
const callCount = 2_000;
const items = 100_000;
const { BEATMARKET_BASE_URL, BEATMARKET_API_KEY, BEATMARKET_CA_FILE } = process.env;

const calls = await measureCalls();
const growth_kb = await growthKb();
console.log(JSON.stringify({ ...measureImport(), ...calls, growth_kb, bundle_kb: await measureBundles() }));
process.exit(0);

/** Median start times of new processes, alternating: without an import, and the additional time with node:https and with the client. */
function measureImport() {
  const processMs = (program) => {
    const startMs = performance.now();
    execFileSync(process.execPath, ["--input-type=module", "--eval", program]);
    return performance.now() - startMs;
  };
  const programs = ["", 'import "node:https";', `import ${JSON.stringify(entry)};`];
  const durationsMs = programs.map(() => []);
  for (let index = 0; index < 7; index += 1)
    for (const [which, program] of programs.entries()) durationsMs[which].push(processMs(program));
  const [idle, http, client] = durationsMs.map(median);
  return { import_ms: client - idle, http_import_ms: http - idle, idle_ms: idle };
}

async function measureBundles() {
  const kb = {};
  for (const [part, { source }] of Object.entries(parts))
    kb[part] = (await bundleBytes(source, fileURLToPath(new URL(".", import.meta.url)))) / 1000;
  return kb;
}

/** Median milliseconds, and mean CPU time, of one call and of the same call through bare node:https, alternating. */
async function measureCalls() {
  const client = new BeatMarket();
  const agent = new Agent({ keepAlive: true, ca: readFileSync(BEATMARKET_CA_FILE, "utf8") });
  const headers = {
    authorization: `Bearer ${BEATMARKET_API_KEY}`,
    accept: "application/json",
    "accept-encoding": "br, gzip",
    "user-agent": "beatmarket-bench/1 node",
  };
  // The same call written by hand: a time limit for the whole call, a check of the status, and parsed JSON.
  const bare = () =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => outgoing.destroy(new Error("The bare call took too long.")), 30_000);
      const fail = (error) => {
        clearTimeout(timer);
        reject(error);
      };
      const outgoing = request(`${BEATMARKET_BASE_URL}/beats/1`, { agent, headers }, (incoming) => {
        const chunks = [];
        incoming.on("data", (chunk) => chunks.push(chunk));
        incoming.on("error", fail);
        incoming.on("end", () => {
          clearTimeout(timer);
          if (incoming.statusCode !== 200) return reject(new Error(`The bare call got ${incoming.statusCode}.`));
          const bytes = Buffer.concat(chunks);
          const content = incoming.headers["content-encoding"] === "br" ? brotliDecompressSync(bytes) : bytes;
          resolve(JSON.parse(content.toString("utf8")).data.beat);
        });
      });
      outgoing.on("error", fail);
      outgoing.end();
    });
  const ours = { durationsMs: [], cpuMs: 0 };
  const theirs = { durationsMs: [], cpuMs: 0 };
  const timed = async (call, side) => {
    const startMs = performance.now();
    const before = process.cpuUsage();
    await call();
    const { user, system } = process.cpuUsage(before);
    side.durationsMs.push(performance.now() - startMs);
    side.cpuMs += (user + system) / 1000;
  };
  for (let index = 0; index < warmUp + callCount; index += 1) {
    if (index === warmUp) {
      for (const side of [ours, theirs]) Object.assign(side, { durationsMs: [], cpuMs: 0 });
    }
    await timed(() => client.beats.get(1), ours);
    await timed(bare, theirs);
  }
  agent.destroy();
  return {
    call_ms: median(ours.durationsMs),
    bare_ms: median(theirs.durationsMs),
    call_cpu_ms: ours.cpuMs / callCount,
    bare_cpu_ms: theirs.cpuMs / callCount,
  };
}

/** Growth of the heap from a tenth of an iteration to its end, in KiB. */
async function growthKb() {
  const client = new BeatMarket();
  let seen = 0;
  let before = 0;
  for await (const _ of client.beats.list({ limit: 100, maxItems: items })) {
    seen += 1;
    if (seen === items / 10) before = inUse();
  }
  if (seen !== items) throw new Error(`There are only ${seen} beats.`);
  return (inUse() - before) / 1024;
}

function inUse() {
  // Only contexts created after the flag have the function.
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
