import { systemClock } from "@beatmarket/foundation/clock.ts";
import { thousands } from "@beatmarket/foundation/text/counted.ts";
import { type Command, Option } from "commander";
import { findRun, type ImportRun, listRuns, runJson } from "../resources/catalogue-import/history/runs.ts";
import { readId, reading } from "./terminal/arguments.ts";
import { tableText, wholeSecondsUtc } from "./terminal/output.ts";
import { printResult, printStream, withDatabase } from "./terminal/run.ts";

/** `imports list` and `rejects`: show past imports. */
export function importsCommand(program: Command): void {
  const imports = program
    .command("imports")
    .description("Show what imports did.")
    .addHelpText(
      "after",
      `
Examples:
  beatmarket imports list
  beatmarket imports rejects 12 > bad-rows.jsonl

The newest 100 imports are kept, each with its first 1,000 rejected rows.`,
    );

  imports
    .command("list")
    .description("List the imports that are kept, newest first.")
    .option("--json", "print JSON")
    .action((options: { json?: true }) =>
      withDatabase(async ({ query }) => {
        const runs = await listRuns(query, now());
        printResult(options.json, runs.map(runJson), listText(runs));
      }),
    );

  imports
    .command("rejects")
    .description("Print the rejected rows of an import, in the form of its rejects file.")
    .argument("<id>", "the import, as in `imports list`", reading(readId))
    .addOption(new Option("--json", "no effect: each line is always one JSON object"))
    .action((id: number) =>
      withDatabase(async ({ query }) => {
        await printStream([(await findRun(query, id, now())).rejects]);
      }),
    );
}

const now = () => new Date(systemClock.nowMs());

const columns: Record<string, (run: ImportRun) => string> = {
  ID: ({ id }) => String(id),
  STARTED: ({ started_at }) => wholeSecondsUtc(started_at) ?? "",
  STATE: ({ state }) => state,
  FILE: ({ file }) => file,
  MAPPING: ({ mapping }) => mapping,
  ROWS: ({ read_rows }) => thousands(read_rows),
  CREATED: ({ created }) => thousands(created),
  UPDATED: ({ updated }) => thousands(updated),
  UNCHANGED: ({ unchanged }) => thousands(unchanged),
  REJECTED: ({ rejected }) => thousands(rejected),
  ERROR: ({ error }) => error ?? "",
};

const listText = (runs: readonly ImportRun[]): string =>
  runs.length === 0
    ? "No imports yet."
    : tableText([Object.keys(columns), ...runs.map((run) => Object.values(columns).map((cellOf) => cellOf(run)))]);
