import type { Command } from "commander";
import { printResult, withOpenedDatabase } from "./terminal/run.ts";

export function migrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("Bring the database schema up to date. `serve` does so by itself at start.")
    .option("--json", "print the names of the applied and the waiting migrations as JSON")
    .action((options: { json?: boolean }) =>
      withOpenedDatabase(async (database) => {
        const { applied, waiting } = await database.migrate();
        const lines = [
          ...(applied.length > 0 ? [`Applied: ${applied.join(", ")}`] : []),
          ...(waiting !== null ? [waiting.why] : []),
        ];
        printResult(
          options.json,
          { applied, waiting: waiting?.names ?? [] },
          lines.length === 0 ? "The schema is up to date." : lines.join("\n"),
        );
      }),
    );
}
