import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { CatalogueSource } from "./catalogue/write-catalogue.ts";

/** The options of the command line. */
export interface Options {
  /** Whether the case of this name is to run. */
  isChosen(name: string): boolean;
  beats: number;
  source: CatalogueSource;
  rounds: number;
  /** Seconds of each burst. */
  seconds: number;
  /** The number of instances to measure with a proxy in front, instead of the cases. */
  instances: number | undefined;
  /** Sizes of catalogues to measure, instead of the cases. */
  growth: readonly number[] | undefined;
  describe: boolean;
  /** A folder of labelled audio files for the case `analysis`. */
  audio: string | undefined;
  json: boolean;
}

const help = (
  cases: readonly string[],
) => `Measures the service on a catalogue of a million beats and compares it, in the same run, with a bare HTTPS server that
sends the same bytes.

  npm run bench                      every case
  npm run bench -- --only crawl,by   cases whose name begins with one of the words
  npm run bench -- --beats 10000     another size of the catalogue (default 1000000)
  npm run bench -- --seed 7          another invented catalogue (default 1)
  npm run bench -- --catalogue FILE  the rows of a real one: a CSV, gzipped or not, in the columns of mappings/tracks_231k.json
  npm run bench -- --audio FOLDER    labelled audio files for the case analysis: FOLDER/ground_truth.csv with path, bpm, key
                                     and sha256
  npm run bench -- --describe        prints the distribution of words, tempos, genres, producers and popularity, and measures
                                     nothing
  npm run bench -- --rounds 5        of each comparison (default 3); --seconds 5 of each burst (default 2)
  npm run bench -- --instances 2     instead of the cases: several instances behind a proxy on one database
  npm run bench -- --growth 10000,100000,1000000,5000000
                                     instead of the cases: rates, memory, start and import of each size, drawn as
                                     docs/images/growth.svg
  npm run bench -- --json            prints one JSON array of {case, value, unit, reach, ok}; reach is the target

Cases: ${cases.join(", ")}.

The database stays in .data-bench for the next run. It is loaded again when the migrations or the rows have changed.
docs/benchmarks.md describes each case and the catalogue.`;

/** Reads the command line. Prints the help or an error and ends the process if necessary. */
export function readOptions(cases: readonly string[]): Options {
  const options = parseOptions();
  if (options.help) {
    console.log(help(cases));
    process.exit(0);
  }
  const instances = options.instances === undefined ? undefined : parseInteger("instances", options.instances, 2);
  const words = (options.only ?? "").split(",");
  const isChosen = (name: string) => instances === undefined && words.some((word) => name.startsWith(word));
  const unknown = words.find((word) => !cases.some((name) => name.startsWith(word)));
  if (unknown !== undefined)
    refuse(`No case has a name that begins with "${unknown}". The cases are ${cases.join(", ")}.`);
  return {
    isChosen,
    beats: parseInteger("beats", options.beats, 1_000),
    source: sourceOf(options.catalogue, parseInteger("seed", options.seed, 0)),
    rounds: parseInteger("rounds", options.rounds, 1),
    seconds: parseInteger("seconds", options.seconds, 1),
    instances,
    growth: options.growth?.split(",").map((size) => parseInteger("growth", size, 1_000)),
    describe: options.describe,
    audio: audioFolder(options.audio),
    json: options.json,
  };
}

function sourceOf(catalogue: string | undefined, seed: number): CatalogueSource {
  if (catalogue === undefined) return { seed };
  const realFile = resolve(catalogue);
  return existsSync(realFile) ? { realFile } : refuse(`There is no file ${realFile}.`);
}

function audioFolder(audio: string | undefined): string | undefined {
  if (audio === undefined) return undefined;
  const folder = resolve(audio);
  const labels = join(folder, "ground_truth.csv");
  return existsSync(labels) ? folder : refuse(`There is no file ${labels}.`);
}

function parseOptions() {
  try {
    return parseArgs({
      options: {
        only: { type: "string" },
        beats: { type: "string", default: "1000000" },
        seed: { type: "string", default: "1" },
        catalogue: { type: "string" },
        audio: { type: "string" },
        describe: { type: "boolean", default: false },
        rounds: { type: "string", default: "3" },
        seconds: { type: "string", default: "2" },
        instances: { type: "string" },
        growth: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    return refuse(`${(error as Error).message.replace(/\.?$/, ".")} --help lists all options.`);
  }
}

function parseInteger(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) refuse(`--${name} takes a whole number of at least ${least}.`);
  return value;
}

function refuse(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
