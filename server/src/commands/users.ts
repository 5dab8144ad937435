import type { Command } from "commander";
import { createAccount } from "../resources/users/accounts.ts";
import { printResult, withDatabase } from "./run.ts";

/** `users create`. */
export function usersCommand(program: Command): void {
  const users = program.command("users").description("Make accounts.");

  users
    .command("create")
    .description("Make an account.")
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
}
