import type { Command } from "commander";
import { withOpenedDatabase } from "./terminal/run.ts";

export function migrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("Bring the database schema up to date. `serve` does so by itself at start.")
    .option("--json", "print the names of the applied migrations as JSON")
    .action((options: { json?: boolean }) =>
      withOpenedDatabase(async (database) => {
        const applied = await database.migrate();
        if (options.json === true) process.stdout.write(`${JSON.stringify({ applied })}\n`);
        else
          process.stdout.write(
            applied.length === 0 ? "The schema is up to date.\n" : `Applied: ${applied.join(", ")}\n`,
          );
      }),
    );
}
