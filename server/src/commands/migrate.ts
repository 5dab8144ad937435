import type { Command } from "commander";
import type { Queryable } from "../database/connect.ts";
import { countFreeLicenses, type FreeLicense, findFreeLicenses } from "../resources/beats/queries.ts";
import { tableText } from "./terminal/output.ts";
import { printResult, withOpenedDatabase } from "./terminal/run.ts";

const shownBeats = 20;

/** Lists the beats that `findFreeLicenses` finds, with the remedy. */
function freeText(free: readonly FreeLicense[]): string {
  const rows = free
    .slice(0, shownBeats)
    .map(({ beat_id, title, license_type, source }) => [String(beat_id), title, license_type, source ?? ""]);
  const table = tableText([["beat", "title", "license", "source"], ...rows]);
  const more = free.length > shownBeats ? `\nand ${free.length - shownBeats} more; --json lists up to 1,000.` : "";
  return `
Unlimited and exclusive licenses are never free, and cannot be bought at 0. These beats have one from an earlier release:

${table}${more}

Their producers set a price in the studio, or by PATCH /beats/{id} with license_prices. If a beat is
imported, correct the price in its file and import the file again.`;
}

/** The warning that a server logs when its start has applied migrations; null without a free license to list. */
export async function freeLicensesWarning(db: Queryable): Promise<string | null> {
  const beats = await countFreeLicenses(db);
  if (beats === 0) return null;
  return `${beats} ${beats === 1 ? "beat has" : "beats have"} an unlimited or exclusive license at a price of 0, which nobody can buy. List them with: npx beatmarket migrate`;
}

export function migrateCommand(migrate: Command): void {
  migrate
    .option(
      "--json",
      "print the names of the applied and the waiting migrations, and beats with free licenses, as JSON",
    )
    .action((options: { json?: boolean }) =>
      withOpenedDatabase(async (database) => {
        const { applied, waiting } = await database.migrate();
        const free = await findFreeLicenses(database.query);
        const lines = [
          ...(applied.length > 0 ? [`Applied: ${applied.join(", ")}`] : []),
          ...(waiting !== null ? [waiting.why] : []),
          ...(free.length > 0 ? [freeText(free)] : []),
        ];
        printResult(
          options.json,
          { applied, waiting: waiting?.names ?? [], free_licenses: free },
          lines.length === 0 ? "The schema is up to date." : lines.join("\n"),
        );
      }),
    );
}
