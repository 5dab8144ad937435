import tab from "@bomb.sh/tab/commander";
import { Command } from "commander";

const usageStatus = 2;
/** The command that a shell runs when Tab is pressed: `beatmarket complete -- payouts l`. */
const asksForCompletion = "complete";
/** The command that prints a shell's script: `beatmarket completion bash`. */
const completionCommand = "completion";
/** The command that prints the help of the command after it. */
const helpCommand = "help";

interface CommandEntry {
  description: string;
  /** Loads the function that declares the command's arguments, options and subcommands. */
  load(): Promise<(command: Command) => void>;
}

/**
 * The commands by name. A command's modules load only when it runs, so that the list of all commands appears at once.
 */
const commands: Record<string, CommandEntry> = {
  serve: {
    description: "Serve the API over HTTPS, on an embedded PostgreSQL unless DATABASE_URL names another server.",
    load: async () => (await import("./serve.ts")).serveCommand,
  },
  worker: {
    description: "Deliver webhooks and run media jobs, next to `serve` or other workers, without serving the API.",
    load: async () => (await import("./worker.ts")).workerCommand,
  },
  import: {
    description: "Import a file of beats into the catalogue: CSV, TSV or JSON, plain or gzip",
    load: async () => (await import("./import.ts")).importCommand,
  },
  imports: { description: "Show what imports did.", load: async () => (await import("./import.ts")).importsCommand },
  beats: {
    description:
      "Publish files as beats; take one beat down; show, withdraw or delete the beats of an import, which its mapping names as a source.",
    load: async () => (await import("./beats/beats.ts")).beatsCommand,
  },
  genres: {
    description: "Add genres to the catalogue, and list merged ones.",
    load: async () => (await import("./genres.ts")).genresCommand,
  },
  keys: {
    description: "Create and list API keys, change their plan and version, revoke and rotate them.",
    load: async () => (await import("./keys.ts")).keysCommand,
  },
  users: {
    description: "Create, mark, suspend, export and erase accounts.",
    load: async () => (await import("./users.ts")).usersCommand,
  },
  claims: {
    description: "Hand over imported producers to their owners, who confirm with a mailed link.",
    load: async () => (await import("./claims.ts")).claimsCommand,
  },
  calls: {
    description: "Show the newest calls of an account; without --email, the calls with unknown keys.",
    load: async () => (await import("./calls.ts")).callsCommand,
  },
  orders: {
    description: "List, show and refund orders, and confirm payments of the sandbox.",
    load: async () => (await import("./orders/orders.ts")).ordersCommand,
  },
  licenses: {
    description: "Check license certificates, and change the key that signs them.",
    load: async () => (await import("./licenses.ts")).licensesCommand,
  },
  mails: {
    description: "List and preview the mails of the service (docs/mails.md).",
    load: async () => (await import("./mails.ts")).mailsCommand,
  },
  payouts: {
    description: "Pay the due balances of producers.",
    load: async () => (await import("./payouts.ts")).payoutsCommand,
  },
  taxes: {
    description: "Set the taxes that prices include, by the country of the buyer.",
    load: async () => (await import("./taxes.ts")).taxesCommand,
  },
  ledger: {
    description: "Read the double-entry ledger of all payments.",
    load: async () => (await import("./ledger.ts")).ledgerCommand,
  },
  catalogue: {
    description: "Show and rebuild the catalogue in OpenSearch.",
    load: async () => (await import("./catalogue.ts")).catalogueCommand,
  },
  storage: {
    description: "Check the files of producers.",
    load: async () => (await import("./storage.ts")).storageCommand,
  },
  backup: {
    description: "Back up the database and the files of producers, and restore them.",
    load: async () => (await import("./backup/backup.ts")).backupCommand,
  },
  webhooks: {
    description: "Manage webhook endpoints and their deliveries.",
    load: async () => (await import("./webhooks/webhooks.ts")).webhooksCommand,
  },
  test: {
    description: "Test a program that uses the service.",
    load: async () => (await import("./test.ts")).testCommand,
  },
  secrets: {
    description:
      "Change the key that seals secrets: those of webhooks and authenticators, and the keys of license certificates.",
    load: async () => (await import("./secrets.ts")).secretsCommand,
  },
  migrate: {
    description: "Bring the database schema up to date. `serve` does so by itself at start.",
    load: async () => (await import("./migrate.ts")).migrateCommand,
  },
  doctor: {
    description: "Check everything that the service needs, and print each fault with its remedy.",
    load: async () => (await import("./doctor/doctor.ts")).doctorCommand,
  },
  upgrade: {
    description: "Move the embedded database to the major version of PostgreSQL that this release uses.",
    load: async () => (await import("./upgrade.ts")).upgradeCommand,
  },
};

/**
 * The command line `beatmarket`: all commands with their descriptions. The command that the parameters name is declared
 * in full; with `allInFull`, every command is.
 */
export async function readProgram(
  parameters: readonly string[],
  { allInFull = false }: { allInFull?: boolean } = {},
): Promise<Command> {
  const [first = ""] = parameters;
  // For `complete -- payouts l`, this is the command that is typed.
  const name = { [asksForCompletion]: parameters[2], [helpCommand]: parameters[1] }[first] ?? first;
  const program = await declareProgram((command) => allInFull || command === name);
  if (!Object.hasOwn(commands, first)) {
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

/** The command line with those commands in full that `isFull` selects, and the others by name and description. */
async function declareProgram(isFull: (name: string) => boolean): Promise<Command> {
  const program = new Command("beatmarket")
    .description("The API platform of a marketplace for music beats (pre-release demo).")
    .version("0.1.0")
    .addHelpText(
      "after",
      "\nWith --json a result is JSON on standard output. Errors are text on standard error, and the exit status is 1;\nit is 2 for an invalid command line.",
    )
    .showHelpAfterError("(add --help for what it takes)")
    .showSuggestionAfterError();
  for (const [name, { description, load }] of Object.entries(commands)) {
    const command = program.command(name).description(description);
    if (isFull(name)) (await load())(command);
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
