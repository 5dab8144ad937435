import { Command, InvalidArgumentError, Option } from "commander";
import { completionCommand } from "./commands/completion.ts";
import { fileCommands } from "./commands/files.ts";
import { listenCommand } from "./commands/listen.ts";
import { logsCommand } from "./commands/logs.ts";
import { operationCommand } from "./commands/operation-command.ts";
import { requestCommand } from "./commands/request.ts";
import { syncCommand } from "./commands/sync.ts";
import { testCommand } from "./commands/test-command.ts";
import { triggerCommand } from "./commands/trigger.ts";
import { logoutCommand, whoamiCommand } from "./login/account.ts";
import { loginCommand } from "./login/login.ts";
import { operations, resources } from "./operation.ts";
import { commandOf, runCommand } from "./run.ts";
import { version } from "./version.ts";

const usageStatus = 2;

/** The commands that are not operations of the table, or that send more than one call. */
const commands = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  fileCommands,
  requestCommand,
  listenCommand,
  triggerCommand,
  logsCommand,
  syncCommand,
  testCommand,
];

/** The command line with all commands: the operations of the table, and `commands`. */
function makeProgram(parameters: readonly string[]): Command {
  const program = new Command("beatmarket-cli")
    .description("The command line of the Beat Marketplace API.")
    .version(version)
    .addOption(new Option("--json", "print the API's response itself; errors are JSON on standard error, too"))
    .addOption(new Option("--include", "print status, request id, ETag and rate limit on standard error"))
    .addOption(
      new Option("--server <url>", "the server (default: the server of the last login; env: BEATMARKET_BASE_URL)"),
    )
    .addOption(new Option("--api-key <key>", "the API key (default: the key of the login; env: BEATMARKET_API_KEY)"))
    .addOption(new Option("--ca <file>", "trust this certificate authority (env: BEATMARKET_CA_FILE)"))
    .addOption(new Option("--timeout <seconds>", "the time limit of each attempt").argParser(readSeconds))
    .addOption(
      new Option("--max-retries <number>", "the maximum number of attempts after the first").argParser(readNumber),
    )
    .addOption(
      new Option("--max-retry-after <seconds>", "the longest Retry-After of the service to wait for").argParser(
        readSeconds,
      ),
    )
    .addOption(new Option("--allow-http", "send the key unencrypted to a server without TLS"))
    .addOption(new Option("--verbose", "print each request on standard error"))
    .addHelpText("after", "\nThe exit status is 1 after an error, and 2 for an invalid command line.")
    .showHelpAfterError("(add --help for the arguments and options)")
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true });
  for (const { name, description } of resources) program.command(name).description(description);
  for (const operation of operations) {
    if (operation.result.kind === "file") continue;
    const [group = ""] = operation.command;
    const parent = operation.command.length === 1 ? program : commandOf(program, group);
    operationCommand(parent, operation, runCommand);
  }
  for (const add of commands) add(program, runCommand);
  completionCommand(program, parameters);
  return program;
}

/** Runs the command line. A wrong command line ends with exit status 2. */
export async function runProgram(parameters: readonly string[]): Promise<void> {
  const program = makeProgram(parameters);
  exitsWith2(program);
  await program.parseAsync(parameters, { from: "user" });
}

function exitsWith2(command: Command): void {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageStatus));
  command.commands.forEach(exitsWith2);
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 0.001 && seconds <= 2_000_000)) throw new InvalidArgumentError("It takes seconds, such as 10.");
  return seconds;
}

function readNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("It takes a whole number from 0 up.");
  return Number(text);
}
