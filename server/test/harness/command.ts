import { Command, CommanderError } from "commander";
import { onTestFinished, vi } from "vitest";

export interface EndedCommand {
  /** The exit status. */
  status: number;
  out: string;
  errors: string;
}

/** What a command without a problem may write to stderr: it waits for PostgreSQL, which takes longer on a busy machine. */
export const onlyWaits = /^(?:PostgreSQL is still starting: .*\n)*$/;

/**
 * Runs `beatmarket` with the arguments in this process, which is much faster than starting a process. `declare` adds
 * options and subcommands to the command that the first argument names.
 */
export async function runHere(
  declare: (command: Command) => void,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<EndedCommand> {
  const ended: EndedCommand = { status: 0, out: "", errors: "" };
  const keep = (into: "out" | "errors") => (text: unknown) => {
    ended[into] += String(text);
    return true;
  };
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation(keep("out")),
    vi.spyOn(process.stderr, "write").mockImplementation(keep("errors")),
  ];
  onTestFinished(() => {
    process.exitCode = undefined;
  });
  const program = new Command("beatmarket");
  declare(program.command(args[0] ?? ""));
  throwAtExit(program);
  process.exitCode = undefined;
  try {
    await program.parseAsync(args, { from: "user" });
    ended.status = Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    ended.status = error.exitCode;
  } finally {
    for (const spy of spies) spy.mockRestore();
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
  return ended;
}

function throwAtExit(command: Command): void {
  command.exitOverride();
  for (const below of command.commands) throwAtExit(below);
}
