import { existsSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { instances } from "./src/cases/instances.ts";
import { cases } from "./src/cases.ts";
import { driverName } from "./src/load.ts";
import { withBench } from "./src/open-bench.ts";
import { progressLine } from "./src/progress.ts";
import { isReached, machineRow, type Row, readableRow } from "./src/report.ts";

const help = `Measures the service on a catalogue of a million beats and compares it, in the same run, with a bare HTTPS server that
answers the same bytes.

  npm run bench                      everything
  npm run bench -- --only crawl,by   cases whose name contains one of the words
  npm run bench -- --beats 10000     another size of the catalogue (default 1000000); 231551 is that of the real one
  npm run bench -- --rounds 5        of each comparison (default 3); --seconds 5 of each burst (default 2)
  npm run bench -- --instances 2     instead: several instances behind a proxy on one database
  npm run bench -- --json            one JSON array of {case, value, unit, reach, ok}

Cases: start, ${Object.keys(cases).join(", ")}.

The catalogue is made of the rows of ../shared/data/tracks_231k.csv.gz, or of the file given with --catalogue. The
database is kept in .data-bench for the next run, and loaded anew when migrations change. docs/benchmarks.md tells what
each case does.`;

const { values: options } = readOptions();
if (options.help) {
  console.log(help);
  process.exit(0);
}

const root = fileURLToPath(new URL("../", import.meta.url));
const realFile = resolve(options.catalogue ?? join(root, "../shared/data/tracks_231k.csv.gz"));
if (!existsSync(realFile)) refuse(`There is no catalogue at ${realFile}; name one with --catalogue FILE.`);
const severalInstances = options.instances === undefined ? undefined : whole("instances", options.instances, 2);
const wanted = (options.only ?? "").split(",");
const isChosen = (name: string) => severalInstances === undefined && wanted.some((word) => name.includes(word));
const chosen = Object.entries(cases).filter(([name]) => isChosen(name));
if (severalInstances === undefined && chosen.length === 0 && !isChosen("start"))
  refuse(`No case is named like "${options.only}"; there are start, ${Object.keys(cases).join(", ")}.`);

const rows: Row[] = [];
const say = (text: string) => {
  if (!options.json) console.log(text);
};
const report = (row: Row) => {
  rows.push(row);
  say(readableRow(row));
};

const [busy = 0] = loadavg();
await withBench(
  {
    dataDir: join(root, ".data-bench"),
    beats: whole("beats", options.beats, 1_000),
    realFile,
    rounds: whole("rounds", options.rounds, 1),
    seconds: whole("seconds", options.seconds, 1),
    start: isChosen("start"),
    report,
    say,
    progress: progressLine,
  },
  async (bench) => {
    const machine = `${availableParallelism()} processors with a load of ${busy.toFixed(1)} beforehand`;
    say(`${machine}; driven by ${driverName()}, ${bench.rounds} rounds of ${bench.seconds} s each; medians`);
    if (severalInstances !== undefined) return instances(bench, severalInstances);
    for (const [name, measure] of chosen) {
      say(`\n${name}`);
      try {
        await measure(bench);
      } catch (error) {
        // The other cases still tell something.
        const [sentence] = (error as Error).message.split("\n");
        report({ case: name, value: null, unit: `failed: ${sentence}`, reach: null });
        console.error(error);
      }
    }
  },
);
if (options.json) console.log(JSON.stringify(rows.map(machineRow)));
const short = rows.filter((row) => !isReached(row));
say(short.length === 0 ? "\nEverything is reached." : `\nNot reached:\n${short.map(readableRow).join("\n")}`);
process.exitCode = short.length === 0 ? 0 : 1;

function readOptions() {
  try {
    return parseArgs({
      options: {
        only: { type: "string" },
        beats: { type: "string", default: "1000000" },
        rounds: { type: "string", default: "3" },
        seconds: { type: "string", default: "2" },
        instances: { type: "string" },
        catalogue: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return refuse(`${(error as Error).message.replace(/\.?$/, ".")} --help lists all options.`);
  }
}

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) refuse(`--${name} takes a whole number of at least ${least}.`);
  return value;
}

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
