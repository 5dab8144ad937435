import { Command } from "commander";
import { importCommand } from "./commands/import.ts";
import { keysCommand } from "./commands/keys.ts";
import { migrateCommand } from "./commands/migrate.ts";
import { ordersCommand } from "./commands/orders.ts";
import { serveCommand } from "./commands/serve.ts";
import { usersCommand } from "./commands/users.ts";
import { webhooksCommand } from "./commands/webhooks.ts";
import { workerCommand } from "./commands/worker.ts";

const program = new Command("beatmarket")
  .description("Beat Marketplace: the API platform of a marketplace for music beats (pre-release demo).")
  .version("0.1.0")
  .showHelpAfterError("(add --help for what it takes)")
  .showSuggestionAfterError();

serveCommand(program);
workerCommand(program);
importCommand(program);
keysCommand(program);
usersCommand(program);
ordersCommand(program);
webhooksCommand(program);
migrateCommand(program);

await program.parseAsync();
// What is done is done, though a connection to a host that has vanished would keep the process for minutes.
setTimeout(() => process.exit(), 500).unref();
