import type { Command } from "commander";
import type { ResponseInfo } from "../../javascript/src/response.ts";
import type { GlobalOptions } from "./connection.ts";
import { failureOf } from "./errors.ts";

/** Runs the work of a command with the options that every command takes. Prints an error and sets exit status 1. */
export type Run = (command: Command, work: (options: GlobalOptions) => Promise<void> | void) => Promise<void>;

export const runCommand: Run = async (command, work) => {
  const options = command.optsWithGlobals<GlobalOptions>();
  try {
    await work(options);
  } catch (error) {
    const failure = failureOf(error);
    const sentences = failure.remedy === undefined ? failure.message : `${failure.message} ${failure.remedy}`;
    process.stderr.write(options.json === true ? `${JSON.stringify({ error: failure })}\n` : `error: ${sentences}\n`);
    process.exitCode = 1;
  }
};

/** With --include, prints the facts in a response's headers. */
export function showResponse(
  { status, requestId, etag, rateLimit }: ResponseInfo,
  { include }: Pick<GlobalOptions, "include">,
): void {
  const facts = { status, request_id: requestId, etag, rate_limit: rateLimit };
  if (include === true) process.stderr.write(`${JSON.stringify({ response: facts })}\n`);
}

/** Shows the progress of a file: with --include as a line of JSON, else as a percentage on a terminal. */
export function showProgress(
  { name, moved, ...facts }: { name: string; moved: number; bytes: number } & Record<string, unknown>,
  { include }: Pick<GlobalOptions, "include">,
): void {
  const { stderr } = process;
  if (include === true) stderr.write(`${JSON.stringify({ progress: facts })}\n`);
  else if (stderr.isTTY) {
    stderr.write(`\r${name}: ${Math.round((moved / Math.max(1, facts.bytes)) * 100)} %`);
    if (moved === facts.bytes) stderr.write("\n");
  }
}

export const print = (text: string): void => void process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);

/** The width of the terminal. Undefined if the output is not a terminal; then nothing is cut. */
export const terminalWidth = (): number | undefined => (process.stdout.isTTY ? process.stdout.columns : undefined);

/** Aborts at the first SIGINT or SIGTERM; the second ends the process at once. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => (stopping.signal.aborted ? process.exit(1) : stopping.abort()));
  return stopping.signal;
}

/** The command of this name. Each resource has one. */
export function commandOf(program: Command, name: string): Command {
  const command = program.commands.find((candidate) => candidate.name() === name);
  if (command === undefined) throw new Error(`There is no command ${name}.`);
  return command;
}
