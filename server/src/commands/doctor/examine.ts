import type { OpenedDatabase } from "../../database/open.ts";
import { ok } from "../../resources/operations/verdict.ts";
import { catalogueCheck } from "./catalogue-check.ts";
import { type CheckContext, type Finding, findingOf } from "./check.ts";
import { databaseChecks, schemaVerdict } from "./database-checks.ts";
import { networkChecks } from "./network-checks.ts";
import { placeChecks, storedChecks } from "./place-checks.ts";
import { queueChecks } from "./queue-checks.ts";
import { settingsChecks } from "./settings-checks.ts";

/**
 * Runs every check. `open` opens the database. If it throws, its error is a finding, and checks of the database are not
 * run.
 */
export async function examine(context: CheckContext, open: () => Promise<OpenedDatabase>): Promise<Finding[]> {
  const others = Promise.all(
    [...settingsChecks, ...networkChecks, ...placeChecks].map((check) => findingOf(check, context)),
  );
  const ofDatabase = await examineDatabase(context, open);
  const otherChecks = await others;
  const settings = otherChecks.slice(0, settingsChecks.length);
  return [...settings, ...ofDatabase, ...otherChecks.slice(settingsChecks.length)];
}

async function examineDatabase(context: CheckContext, open: () => Promise<OpenedDatabase>): Promise<Finding[]> {
  const checks = [...databaseChecks, ...storedChecks, ...queueChecks, catalogueCheck];
  const unchecked = (why: string): Finding[] =>
    checks.map(({ name }) => ({ check: name, state: "unchecked", detail: why, remedy: null }));
  let database: OpenedDatabase | null = null;
  const reached = await findingOf(
    {
      name: "database",
      run: async () => {
        database = await open();
        return ok(
          database.embedded === null ? "The database of DATABASE_URL answers." : "The embedded database answers.",
        );
      },
    },
    context,
  );
  if (database === null) return [reached, ...unchecked("The database has to answer first.")];
  const opened: OpenedDatabase = database;
  try {
    const schema = await findingOf({ name: "schema", run: () => schemaVerdict(opened) }, context);
    if (schema.state !== "ok") return [reached, schema, ...unchecked("The schema has to be up to date first.")];
    const findings = await Promise.all(checks.map((check) => findingOf(check, { ...context, database: opened })));
    return [reached, schema, ...findings];
  } finally {
    await opened.close();
  }
}
