import tab from "@bomb.sh/tab/commander";
import { Command } from "commander";

const usageStatus = 2;
/** The command that a shell runs when Tab is pressed: `beatmarket complete -- payouts l`. */
const asksForCompletion = "complete";
/** The command that prints a shell's script: `beatmarket completion bash`. */
const completionCommand = "completion";

/** The commands by name. Loads only the command that runs, or all for help and for an unknown name. */
const commands: Record<string, () => Promise<(program: Command) => void>> = {
  serve: async () => (await import("./serve.ts")).serveCommand,
  worker: async () => (await import("./worker.ts")).workerCommand,
  import: async () => (await import("./import.ts")).importCommand,
  imports: async () => (await import("./import.ts")).importsCommand,
  beats: async () => (await import("./beats/beats.ts")).beatsCommand,
  genres: async () => (await import("./genres.ts")).genresCommand,
  keys: async () => (await import("./keys.ts")).keysCommand,
  users: async () => (await import("./users.ts")).usersCommand,
  claims: async () => (await import("./claims.ts")).claimsCommand,
  calls: async () => (await import("./calls.ts")).callsCommand,
  orders: async () => (await import("./orders/orders.ts")).ordersCommand,
  licenses: async () => (await import("./licenses.ts")).licensesCommand,
  mails: async () => (await import("./mails.ts")).mailsCommand,
  payouts: async () => (await import("./payouts.ts")).payoutsCommand,
  taxes: async () => (await import("./taxes.ts")).taxesCommand,
  ledger: async () => (await import("./ledger.ts")).ledgerCommand,
  catalogue: async () => (await import("./catalogue.ts")).catalogueCommand,
  storage: async () => (await import("./storage.ts")).storageCommand,
  backup: async () => (await import("./backup/backup.ts")).backupCommand,
  webhooks: async () => (await import("./webhooks/webhooks.ts")).webhooksCommand,
  test: async () => (await import("./test.ts")).testCommand,
  secrets: async () => (await import("./secrets.ts")).secretsCommand,
  migrate: async () => (await import("./migrate.ts")).migrateCommand,
  doctor: async () => (await import("./doctor/doctor.ts")).doctorCommand,
  upgrade: async () => (await import("./upgrade.ts")).upgradeCommand,
};

/**
 * The command line `beatmarket` with the command that its parameters begin with, or with all commands when none has that
 * name.
 */
export async function readProgram(parameters: readonly string[]): Promise<Command> {
  const [first = ""] = parameters;
  const isCompletion = first === asksForCompletion || first === completionCommand;
  // For `complete -- payouts l`, this is the command that is typed.
  const name = first === asksForCompletion ? (parameters[2] ?? "") : first;
  const program = new Command("beatmarket")
    .description("The API platform of a marketplace for music beats (pre-release demo).")
    .version("0.1.0")
    .addHelpText(
      "after",
      "\nWith --json a result is JSON on standard output. Errors are text on standard error, and the exit status is 1;\nit is 2 for an invalid command line.",
    )
    .showHelpAfterError("(add --help for what it takes)")
    .showSuggestionAfterError();
  const names = Object.hasOwn(commands, name) ? [name] : Object.keys(commands);
  for (const command of names) (await commands[command]?.())?.(program);
  if (isCompletion || names.length > 1) {
    tab(program, { completionCommandName: completionCommand });
    program.commands
      .find((command) => command.name() === completionCommand)
      ?.description("Print the script by which a shell completes commands and options.")
      .addHelpText(
        "after",
        "\nExamples:\n  source <(beatmarket completion bash)\n  beatmarket completion fish > ~/.config/fish/completions/beatmarket.fish\n\nThe shell runs `beatmarket`: node_modules/.bin of the clone has it.",
      );
  }
  return program;
}

/** Runs the command line `beatmarket …parameters`. */
export async function runProgram(parameters: readonly string[]): Promise<void> {
  const program = await readProgram(parameters);
  exitsWith2(program);
  await program.parseAsync(parameters, { from: "user" });
  // A connection to an unreachable host would keep the finished process alive for minutes.
  setTimeout(() => process.exit(), 500).unref();
}

/** An invalid command line differs from failed work by its exit status, as in other programs. */
function exitsWith2(command: Command): void {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageStatus));
  command.commands.forEach(exitsWith2);
}
