import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { counted } from "@beatmarket/foundation/text/counted.ts";
import type { Command } from "commander";
import { type Config, publicSetting, readConfig } from "../../config.ts";
import { type OpenedDatabase, openDatabase } from "../../database/open.ts";
import { ok } from "../../resources/operations/verdicts.ts";
import { printResult, runCommand, runningServer, stopSignal } from "../terminal/run.ts";
import { type CheckContext, type Finding, findingOf } from "./check.ts";
import { catalogueCheck, databaseChecks, queueChecks, schemaVerdict } from "./database-checks.ts";
import { networkChecks } from "./network-checks.ts";
import { placeChecks, storedChecks } from "./place-checks.ts";
import { settingsChecks } from "./settings-checks.ts";

/** `doctor`: runs every check, and prints one table. */
export function doctorCommand(doctor: Command): void {
  doctor
    .option("--deep", "also look up every file in the storage, and read every file of the vault")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
The command takes the environment of the server, and can run while the server runs. It changes nothing: the file that it writes
to test the storage is deleted at once. States: ok; warning; wrong; unused, for a part that this deployment does not use;
unchecked, if another check must pass first.

Exit status: 1 when a check is wrong, otherwise 0.`,
    )
    .action((options: { deep?: true; json?: true }) =>
      runCommand(async () => {
        const findings = await examineHere(options.deep === true);
        const isHealthy = findings.every(({ state }) => state !== "wrong");
        printResult(
          options.json,
          { is_healthy: isHealthy, checks: findings },
          findingsText(findings, process.stdout.columns ?? 120),
        );
        if (!isHealthy) process.exitCode = 1;
      }),
    );
}

async function examineHere(isDeep: boolean): Promise<Finding[]> {
  const config = readSettings();
  if (config instanceof OperatorError)
    return [
      {
        check: "settings",
        state: "wrong",
        detail: config.message,
        remedy: "Correct it. No other check can run before.",
      },
    ];
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort(new OperatorError("Stopped before the end.")));
  const server = runningServer(config.dataDir);
  const publicBy = publicSetting(config) ?? (server === null ? null : publicSetting(server));
  const log = (text: string) => process.stderr.write(`${text}\n`);
  return examine({ config, clock: systemClock, server, publicBy, isDeep, signal: stop.signal }, () =>
    openDatabase(config, { applicationName: "beatmarket doctor", log, mustExist: true }),
  );
}

function readSettings(): Config | OperatorError {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
}

/**
 * Runs every check. `open` opens the database. If it throws, its error is a finding, and checks of the database are not
 * run.
 */
async function examine(context: CheckContext, open: () => Promise<OpenedDatabase>): Promise<Finding[]> {
  const running = Promise.all(
    [...settingsChecks, ...networkChecks, ...placeChecks].map((check) => findingOf(check, context)),
  );
  const databaseFindings = await examineDatabase(context, open);
  const otherFindings = await running;
  const settings = otherFindings.slice(0, settingsChecks.length);
  return [...settings, ...databaseFindings, ...otherFindings.slice(settingsChecks.length)];
}

async function examineDatabase(context: CheckContext, open: () => Promise<OpenedDatabase>): Promise<Finding[]> {
  const checks = [...databaseChecks, ...storedChecks, ...queueChecks, catalogueCheck];
  const unchecked = (why: string): Finding[] =>
    checks.map(({ name }) => ({ check: name, state: "unchecked", detail: why, remedy: null }));
  let database: OpenedDatabase | null = null;
  const reached = await findingOf(
    {
      name: "database",
      run: async () => {
        database = await open();
        return ok(
          database.embedded === null ? "The database of DATABASE_URL answers." : "The embedded database answers.",
        );
      },
    },
    context,
  );
  if (database === null) return [reached, ...unchecked("The database has to answer first.")];
  const openedDatabase: OpenedDatabase = database;
  try {
    const schema = await findingOf({ name: "schema", run: () => schemaVerdict(openedDatabase) }, context);
    if (schema.state !== "ok") return [reached, schema, ...unchecked("The schema has to be up to date first.")];
    const findings = await Promise.all(
      checks.map((check) => findingOf(check, { ...context, database: openedDatabase })),
    );
    return [reached, schema, ...findings];
  } finally {
    await openedDatabase.close();
  }
}

const headings = ["CHECK", "STATE", "WHAT WAS FOUND, AND WHAT TO DO"] as const;
const narrowest = 40;

/** One table. The last column is wrapped to `width`, since a sentence is longer than a line. */
function findingsText(findings: readonly Finding[], width: number): string {
  const rows = findings.map(({ check, state, detail, remedy }) => [
    check,
    state === "wrong" ? "WRONG" : state,
    remedy === null ? detail : `${detail} ${remedy}`,
  ]);
  const widest = (column: number) => Math.max(...[headings, ...rows].map((row) => row[column]?.length ?? 0));
  const first = widest(0);
  const second = widest(1);
  const line = (cells: readonly string[]) =>
    wrapped(cells[2] ?? "", Math.max(narrowest, width - first - second - 4))
      .map((text, index) =>
        index === 0
          ? `${(cells[0] ?? "").padEnd(first)}  ${(cells[1] ?? "").padEnd(second)}  ${text}`
          : `${" ".repeat(first + second + 4)}${text}`,
      )
      .join("\n");
  return `${[headings, ...rows].map(line).join("\n")}\n\n${summary(findings)}`;
}

function summary(findings: readonly Finding[]): string {
  const count = (soughtState: Finding["state"]) => findings.filter(({ state }) => state === soughtState).length;
  const faults = count("wrong");
  const warnings = count("warning");
  const checks = counted(findings.length, "check");
  if (faults + warnings === 0) return `Nothing is wrong: ${checks}.`;
  return `${checks}: ${faults} wrong, ${counted(warnings, "warning")}.`;
}

function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) as string;
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
