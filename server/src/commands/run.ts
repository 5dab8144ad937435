import pino from "pino";
import { type Config, readConfig } from "../config.ts";
import type { Database } from "../database/connect.ts";
import { migrate } from "../database/migrate.ts";
import { openDatabase } from "../database/open.ts";
import { ApiError, OperatorError } from "../errors.ts";

/** Runs a command. A mistake of the operator becomes one sentence on stderr and exit status 1. */
export async function runCommand(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`error: ${sentence(error)}\n`);
    process.exitCode = 1;
  }
}

/**
 * The frame of a command that works on the database: opens it beside a running server or alone, brings its schema up
 * to date, runs, closes it again.
 */
export const withDatabase = (run: (database: Database, config: Config) => Promise<void>): Promise<void> =>
  runCommand(async () => {
    const config = readConfig(process.env);
    // Standard output belongs to the command's result.
    const level = config.logLevel === "info" ? "warn" : config.logLevel;
    const database = await openDatabase(config, { log: pino({ level }, pino.destination(2)) });
    try {
      await migrate(database);
      await run(database, config);
    } finally {
      await database.close();
    }
  });

/** A command's result: the value as one line of JSON, or what a person reads. */
export function printResult(json: boolean | undefined, value: unknown, readable: string): void {
  process.stdout.write(json === true ? `${JSON.stringify(value)}\n` : `${readable}\n`);
}

function sentence(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof ApiError) return error.details;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
