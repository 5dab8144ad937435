import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { instances } from "./src/cases/comparisons/instances.ts";
import { cases, casesWithoutServer } from "./src/cases.ts";
import { describeSource } from "./src/catalogue/describe.ts";
import { growth } from "./src/growth/growth.ts";
import { driverName } from "./src/load/burst.ts";
import { withBench } from "./src/open-bench.ts";
import { readOptions } from "./src/options.ts";
import { progressLine } from "./src/report/progress.ts";
import { machineRow, meetsTarget, type Row, readableRow } from "./src/report/report.ts";

const options = readOptions(["start", ...Object.keys(casesWithoutServer), ...Object.keys(cases)]);
if (options.describe) {
  console.log(await describeSource(options.source, options.beats));
  process.exit(0);
}

const rows: Row[] = [];
const say = (text: string) => {
  if (!options.json) console.log(text);
};
const report = (row: Row) => {
  rows.push(row);
  say(readableRow(row));
};

const [busy = 0] = loadavg();
const startedMs = performance.now();
const { beats, source, rounds, seconds } = options;
if (options.growth !== undefined) {
  const figures = await growth({ source, rounds, seconds, say, progress: progressLine }, options.growth);
  if (options.json) console.log(JSON.stringify(figures));
  process.exit(0);
}
await runChosen(casesWithoutServer, {
  audio: options.audio,
  beats,
  source,
  rounds,
  report,
  say,
  progress: progressLine,
});
const start = options.isChosen("start");
if (start || options.instances !== undefined || Object.keys(cases).some(options.isChosen)) {
  const dataDir = join(fileURLToPath(new URL("../", import.meta.url)), ".data-bench");
  const input = { dataDir, beats, source, rounds, seconds, start, report, say, progress: progressLine };
  await withBench(input, async (bench) => {
    say(
      `${availableParallelism()} processors, load ${busy.toFixed(1)} beforehand; load generator ${driverName()}; ` +
        `medians of ${rounds} rounds of ${seconds} s each`,
    );
    if (options.instances !== undefined) return instances(bench, options.instances);
    await runChosen(cases, bench);
  });
}
if (options.json) console.log(JSON.stringify(rows.map(machineRow)));
const short = rows.filter((row) => !meetsTarget(row));
say(`\nMeasured in ${secondsSince(startedMs)} s.`);
say(short.length === 0 ? "Every target is met." : `Short of their targets:\n${short.map(readableRow).join("\n")}`);
process.exitCode = short.length === 0 ? 0 : 1;

async function runChosen<Input>(
  allCases: Record<string, (input: Input) => Promise<void>>,
  input: Input,
): Promise<void> {
  for (const [name, measure] of Object.entries(allCases).filter(([name]) => options.isChosen(name))) {
    const beganMs = performance.now();
    say(`\n${name}`);
    try {
      await measure(input);
    } catch (error) {
      // The other cases still run after an error.
      const [sentence] = (error as Error).message.split("\n");
      report({ case: name, value: null, unit: `failed: ${sentence}`, target: null });
      console.error(error);
    }
    say(`  (${secondsSince(beganMs)} s)`);
  }
}

function secondsSince(sinceMs: number): number {
  return Math.round((performance.now() - sinceMs) / 1_000);
}
