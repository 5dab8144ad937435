// Compares what could answer the catalogue's queries: see README.md.
import { execFileSync, fork } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readCatalogue } from "./catalogue.mjs";
import { makeChanges, makeQueries } from "./queries.mjs";

// Not orama: at a million beats it would need 5 GB. `--rows 50000 --only orama,typed-arrays` measures it.
const contenders = ["postgresql", "sqlite", "lancedb", "roaring-wasm", "typed-arrays"];
const rounds = 3;
const perKind = 300;
/** How many queries of each kind are compared with the reference, before the changes and after them. */
const compared = 10;
const changed = 100;
const budgetMs = 5_000;

const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    only: { type: "string", default: contenders.join(",") },
    folder: { type: "string", default: join(homedir(), ".cache/beatmarket-spike") },
  },
});
const rows = Number(options.rows);
const here = import.meta.dirname;
const { folder } = options;
const chosen = options.only.split(",");

install();
const beats = readCatalogue(folder, rows);
const queries = makeQueries(beats, perKind);
const changes = makeChanges(beats, changed);
const kinds = Object.keys(queries);
const right = await reference();

const running = [];
for (const name of chosen) running.push(await start(name));
for (let round = 0; round < rounds; round++) {
  for (const kind of kinds) {
    const batch = queries[kind].slice((round * perKind) / rounds, ((round + 1) * perKind) / rounds);
    for (const contender of running) await contender.measure(kind, batch);
  }
}
for (const contender of running) await contender.change();
for (const kind of kinds)
  for (const contender of running) contender.after[kind] = await contender.answers(queries[kind].slice(0, compared));
for (const contender of running) contender.stop();
console.log(table());

/** Packages of contenders, outside the checkout: what loses is no dependency of the product. */
function install() {
  const packages = join(folder, "packages");
  mkdirSync(packages, { recursive: true });
  copyFileSync(join(here, "package.json"), join(packages, "package.json"));
  if (existsSync(join(packages, "node_modules"))) return;
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: packages, stdio: "inherit" });
}

/** The right answers, by brute force; kept, because they take minutes. */
async function reference() {
  const file = join(folder, `answers-${rows}.json`);
  const asked = JSON.stringify([kinds.map((kind) => queries[kind].slice(0, compared)), changes]);
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  if (kept.asked === asked) return kept;
  console.error("finding the right answers by brute force …");
  const contender = await start("brute-force");
  const found = { asked, before: {}, after: {} };
  for (const kind of kinds) found.before[kind] = await contender.answers(queries[kind].slice(0, compared));
  await contender.change();
  for (const kind of kinds) found.after[kind] = await contender.answers(queries[kind].slice(0, compared));
  contender.stop();
  writeFileSync(file, JSON.stringify(found));
  return JSON.parse(JSON.stringify(found));
}

async function start(name) {
  console.error(`building ${name} …`);
  const child = fork(join(here, "contender-process.mjs"), [name, folder, String(rows)], {
    execArgv: ["--expose-gc", "--max-old-space-size=2048"],
    serialization: "advanced",
    // LanceDB warns at each search.
    env: { ...process.env, RUST_LOG: "error" },
  });
  // Waits for one of two: an answer, or the end of a contender that ran out of memory.
  const reply = () =>
    new Promise((resolve) => {
      const done = (message) => {
        child.removeAllListeners();
        resolve(message);
      };
      child.once("message", done);
      child.once("exit", (code, signal) => done({ failed: `ended with ${signal ?? `status ${code}`}` }));
    });
  const ready = await reply();
  if (ready.failed) console.error(`${name}: ${ready.failed}`);
  const ask = async (message) => {
    if (!child.connected) return [];
    child.send(message);
    const { results = [], failed } = await reply();
    if (failed) console.error(`${name}: ${failed}`);
    return results;
  };
  const contender = {
    name,
    ...ready.ready,
    measured: {},
    after: {},
    before: {},
    changes: [],
    measure: async (kind, batch) => {
      await ask({ queries: batch.slice(0, 5), budgetMs: 2_000 });
      const results = (await ask({ queries: batch, budgetMs })).filter(({ answer }) => answer !== undefined);
      contender.before[kind] ??= results.slice(0, compared).map(({ answer }) => answer);
      contender.measured[kind] = [...(contender.measured[kind] ?? []), ...results];
    },
    answers: async (batch) => (await ask({ queries: batch, budgetMs: 600_000 })).map(({ answer }) => answer),
    change: async () => {
      contender.changes = await ask({ changes, budgetMs: 60_000 });
    },
    stop: () => child.connected && child.disconnect(),
  };
  return contender;
}

function table() {
  const at = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))];
  const ms = (value) => (value === undefined ? "" : value < 10 ? value.toFixed(2) : value.toFixed(0));
  const cell = (contender, kind) => {
    const results = contender.measured[kind] ?? [];
    if (results.length === 0) return "–";
    const cpu = results.map(({ cpuMs }) => cpuMs);
    const wall = results.map(({ wallMs }) => wallMs);
    const few = results.length < perKind ? ` (of ${results.length})` : "";
    return `${ms(at(wall, 0.5))} / ${ms(at(wall, 0.99))}; ${ms(at(cpu, 0.5))}${few}`;
  };
  const exact = (contender, kind) => {
    const same = (phase) => {
      const answers = JSON.parse(JSON.stringify(contender[phase][kind] ?? []));
      return answers.filter((answer, n) => answer !== null && isSame(answer, right[phase][kind][n])).length;
    };
    if ((contender.measured[kind] ?? []).length === 0) return "–";
    return `${same("before")}, ${same("after")} of ${Math.min(compared, contender.before[kind].length)}`;
  };
  const alive = running.filter(({ buildSeconds }) => buildSeconds !== undefined);
  const row = (title, each) => `| ${title} | ${alive.map(each).join(" | ")} |`;
  return [
    `${rows.toLocaleString("en")} beats. Wall time p50 / p99; CPU time p50, in ms.`,
    "",
    row("", ({ name }) => name),
    row("---", () => "---"),
    ...kinds.map((kind) => row(kind, (contender) => cell(contender, kind))),
    row("one changed beat, ms", ({ changes: done }) =>
      ms(
        at(
          done.map(({ wallMs }) => wallMs),
          0.5,
        ),
      ),
    ),
    row("build, s", ({ buildSeconds }) => buildSeconds.toFixed(1)),
    row("memory, MB", ({ memoryMb }) => memoryMb.toFixed(0)),
    row("on disk, MB", ({ diskMb }) => diskMb?.toFixed(0) ?? "–"),
    row("index writes, ms of CPU for 1,000 beats", ({ writeMs }) => (writeMs === undefined ? "–" : ms(writeMs))),
    row("lines", ({ name }) => linesOf(name)),
    "",
    "Same as brute force, before and after the changes:",
    "",
    row("", ({ name }) => name),
    row("---", () => "---"),
    ...kinds.map((kind) => row(kind, (contender) => exact(contender, kind))),
  ].join("\n");
}

function isSame(answer, rightAnswer) {
  const sorted = (value) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, each]) => [name, sorted(each)]),
        )
      : value;
  return JSON.stringify(sorted(answer)) === JSON.stringify(sorted(rightAnswer));
}

function linesOf(name) {
  const place = join(here, "contenders", name);
  const files = [
    `${place}.mjs`,
    ...(existsSync(place) && statSync(place).isDirectory() ? readdirSync(place).map((file) => join(place, file)) : []),
  ];
  return files.map((file) => readFileSync(file, "utf8").split("\n").length - 1).reduce((a, b) => a + b, 0);
}
