import { createInterface } from "node:readline/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ApiError, OperatorError } from "@beatmarket/foundation/errors.ts";
import { type Config, readConfig } from "../../config.ts";
import type { Database } from "../../database/connect.ts";
import { type OpenedDatabase, openDatabase } from "../../database/open.ts";
import { withServerAddress } from "./server-address.ts";

/** Runs a command's work. Prints an error, without a stack for the operator's own mistakes, and sets exit status 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`error: ${sentence(error)}\n`);
    process.exitCode = 1;
  }
}

interface CommandDatabaseOptions {
  /** Whether the command may create a database where none exists. */
  makesDatabase?: boolean;
}

/**
 * Runs a command's work with an open, migrated database, which a server may be using at the same time. Refuses a data
 * folder without a database, such as a mistyped one, unless the command may create it.
 */
export const withDatabase = (
  work: (database: Database, config: Config) => Promise<void>,
  options: CommandDatabaseOptions = {},
): Promise<void> =>
  withOpenedDatabase(async (database, config) => {
    await database.migrate();
    await work(database, config);
  }, options);

/** Like `withDatabase`, without migrating the schema. */
export const withOpenedDatabase = (
  work: (database: OpenedDatabase, config: Config) => Promise<void>,
  { makesDatabase = false }: CommandDatabaseOptions = {},
): Promise<void> =>
  runCommand(async () => {
    const config = withServerAddress(readConfig(process.env));
    // Standard output belongs to the command's result.
    const database = await openDatabase(config, {
      log: (text) => process.stderr.write(`${text}\n`),
      mustExist: !makesDatabase,
    });
    try {
      await work(database, config);
    } finally {
      await database.close();
    }
  });

/** Prints a command's result as one line of JSON or as text. */
export function printResult(json: boolean | undefined, value: unknown, readable: string): void {
  process.stdout.write(json === true ? `${JSON.stringify(value)}\n` : `${readable}\n`);
}

/** Prints a text piece by piece. A reader that closes the pipe, such as `head`, ends it early. */
export async function printStream(text: AsyncIterable<string> | Iterable<string>): Promise<void> {
  await pipeline(Readable.from(text), process.stdout, { end: false }).catch((error) => {
    if (error.code !== "EPIPE") throw error;
  });
}

function sentence(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof ApiError) return error.details;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Under npm a Ctrl-C arrives twice: from the terminal and from npm. */
const echoMs = 3_000;

/** Resolves at the first SIGINT, SIGTERM or SIGHUP. A signal more than `echoMs` later exits at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstMs: number | undefined;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => {
        firstMs ??= performance.now();
        if (performance.now() - firstMs > echoMs) process.exit(1);
        resolve();
      });
  });
}

/** Asks before an irreversible action. Throws an OperatorError unless `yes` is true or the operator answers yes. */
export async function confirm(question: string, yes: boolean | undefined): Promise<void> {
  if (yes === true) return;
  if (!process.stdin.isTTY) throw new OperatorError(`${question} Add --yes; nothing was changed.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise<string>((resolve) => {
    terminal.once("close", () => resolve(""));
    void terminal.question(`${question} [y/N] `).then(resolve, () => resolve(""));
  });
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new OperatorError("Nothing was changed.");
}
