import type { Command } from "commander";
import { migrate } from "../database/migrate.ts";
import { withDatabase } from "./terminal/run.ts";

export function migrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("Bring the database schema up to date. `serve` does so by itself at start.")
    .option("--json", "print the names of the applied migrations as JSON")
    .action((options: { json?: boolean }) =>
      withDatabase(async (database) => {
        const applied = await migrate(database);
        if (options.json === true) process.stdout.write(`${JSON.stringify({ applied })}\n`);
        else
          process.stdout.write(
            applied.length === 0 ? "The schema is up to date.\n" : `Applied: ${applied.join(", ")}\n`,
          );
      }),
    );
}
