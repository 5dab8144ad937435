import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Measures the built client against bare node:https in one run. clients/conformance/README.md explains the numbers.

execFileSync(process.execPath, [fileURLToPath(new URL("tools/build.mjs", import.meta.url))]);
const entry = new URL("dist/esm/index.js", import.meta.url).href;
const { BeatMarket } = await import(entry);

const calls = 600;
const warmUp = 200;
const items = 100_000;
const { BEATMARKET_BASE_URL, BEATMARKET_API_KEY, BEATMARKET_CA_FILE } = process.env;

const { callMs, bareMs } = await measureCalls();
const numbers = { import_ms: importMs(), call_ms: callMs, bare_ms: bareMs, growth_kb: await growthKb() };
console.log(JSON.stringify(numbers));
process.exit(0);

/** The import time of the client: a process with the import minus one without, alternating. */
function importMs() {
  const processMs = (program) => {
    const startMs = performance.now();
    execFileSync(process.execPath, ["--input-type=module", "--eval", program]);
    return performance.now() - startMs;
  };
  const importing = [];
  const idle = [];
  for (let index = 0; index < 7; index += 1) {
    importing.push(processMs(`import ${JSON.stringify(entry)};`));
    idle.push(processMs(""));
  }
  return median(importing) - median(idle);
}

/** Median milliseconds of one call, and of the same call through bare node:https, alternating. */
async function measureCalls() {
  const client = new BeatMarket();
  const agent = new Agent({ keepAlive: true, ca: readFileSync(BEATMARKET_CA_FILE, "utf8") });
  const headers = {
    authorization: `Bearer ${BEATMARKET_API_KEY}`,
    accept: "application/json",
    "user-agent": "beatmarket-bench/1 node",
  };
  const bare = () =>
    new Promise((resolve, reject) => {
      const outgoing = request(`${BEATMARKET_BASE_URL}/beats/1`, { agent, headers }, (incoming) => {
        const chunks = [];
        incoming.on("data", (chunk) => chunks.push(chunk));
        incoming.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString("utf8")).data.beat));
      });
      outgoing.on("error", reject);
      outgoing.end();
    });
  const ours = [];
  const theirs = [];
  const timed = async (call, times) => {
    const startMs = performance.now();
    await call();
    times.push(performance.now() - startMs);
  };
  for (let index = 0; index < warmUp + calls; index += 1) {
    if (index === warmUp) {
      ours.length = 0;
      theirs.length = 0;
    }
    await timed(() => client.beats.get(1), ours);
    await timed(bare, theirs);
  }
  agent.destroy();
  return { callMs: median(ours), bareMs: median(theirs) };
}

/** Growth of the heap during an iteration, after its start. */
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
