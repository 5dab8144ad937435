import type { Command } from "commander";
import { createAccount, markMarketplace } from "../resources/users/accounts.ts";
import { printResult, withDatabase } from "./terminal/run.ts";

/** `users create` and `users marketplace`. */
export function usersCommand(program: Command): void {
  const users = program.command("users").description("Create accounts.");

  users
    .command("create")
    .description("Create an account.")
    .requiredOption("--email <address>", "its e-mail address")
    .option("--name <name>", "its display name (default: the part of the address before the @)")
    .option("--json", "print JSON")
    .action((options: { email: string; name?: string; json?: true }) =>
      withDatabase(async ({ query }) => {
        const account = await createAccount(query, options);
        printResult(
          options.json,
          account,
          `Made user ${account.id}, ${account.display_name} (@${account.username}), for ${account.email}.`,
        );
      }),
    );

  users
    .command("marketplace")
    .description("Mark an account as a marketplace: its webhooks receive every beat.purchased event.")
    .requiredOption("--email <address>", "its e-mail address")
    .option("--off", "remove the mark")
    .option("--json", "print JSON")
    .action((options: { email: string; off?: true; json?: true }) =>
      withDatabase(async ({ query }) => {
        const marketplace = options.off !== true;
        await markMarketplace(query, options.email, marketplace);
        printResult(
          options.json,
          { email: options.email, marketplace },
          `The webhooks of ${options.email} ${marketplace ? "now" : "no longer"} receive all purchases.`,
        );
      }),
    );
}
