import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { thousands } from "@beatmarket/foundation/text/counted.ts";
import { discardOld, type UpgradeResult, upgradeEmbedded } from "@beatmarket/postgres/embedded/upgrade/upgrade.ts";
import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { lastMigration, migrations } from "../database/connect.ts";
import { grantService } from "../database/open.ts";
import { type ProgressBar, progressBar } from "./terminal/progress-bar.ts";
import { confirm, printResult, runCommand, stopSignal } from "./terminal/run.ts";

interface UpgradeCommandOptions {
  discardOld?: true;
  yes?: true;
  json?: true;
}

export function upgradeCommand(command: Command): void {
  command
    .option("--discard-old", "remove the old database that an upgrade has kept")
    .option("--yes", "do not ask before the removal")
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      `
Environment: DATA_DIR (.data). First stop every process that uses it. The command copies the database into a new one next to it,
and checks the copy: rows and checksums of every table, sequences, roles, grants and settings. Then the copy takes the place of
the old database, which stays in DATA_DIR/postgres.previous until --discard-old. The command only reads the old database, so
after an interruption you can run it again. It needs twice the size of the database plus 400 MB of free space; for a database above
4 GB, its size plus 4.4 GB.

Exit status: 0 if the database uses the PostgreSQL of this release, 1 otherwise.`,
    )
    .action((options: UpgradeCommandOptions) =>
      runCommand(() => (options.discardOld ? discard(options) : upgrade(options))),
    );
}

async function discard({ yes, json }: UpgradeCommandOptions): Promise<void> {
  const { dataDir } = embeddedConfig();
  const discarded = await discardOld(dataDir, () =>
    confirm("This removes the old database. You cannot go back to it afterwards. Remove it?", yes),
  );
  printResult(json, { discarded }, `Removed ${discarded}.`);
}

async function upgrade({ json }: UpgradeCommandOptions): Promise<void> {
  const { dataDir } = embeddedConfig();
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  let bar: ProgressBar<{ doing: string }> | undefined;
  try {
    const upgraded = await upgradeEmbedded(dataDir, {
      signal: stop.signal,
      schema: { migrations, lastMigration, grant: grantService },
      log: (text) => process.stderr.write(`${text}\n`),
      onProgress: ({ done, total, doing }) => {
        bar ??= progressBar("{bar} {percentage}% | {doing} | {eta_formatted} left", total, { doing });
        bar.show(done, { doing });
      },
    });
    bar?.end();
    printResult(json, upgraded, reportOf(upgraded));
  } finally {
    bar?.end();
  }
}

/** The configuration. Throws an OperatorError if DATABASE_URL is set, because only an embedded database is upgraded. */
function embeddedConfig() {
  const config = readConfig(process.env);
  if (config.databaseUrl !== undefined)
    throw new OperatorError(
      "DATABASE_URL names a PostgreSQL of your own, which you upgrade with pg_upgrade or pg_dump (docs/upgrading.md, PostgreSQL). To upgrade the embedded one of DATA_DIR, unset DATABASE_URL.",
    );
  return config;
}

function reportOf({ from, to, copied, previous }: UpgradeResult): string {
  const oldDatabase =
    previous === null
      ? ""
      : `\nThe old database is kept in ${previous}. To delete it when you no longer need it, run: npx beatmarket upgrade --discard-old`;
  return copied === null
    ? `The database already uses PostgreSQL ${to}.${oldDatabase}`
    : `Upgraded from PostgreSQL ${from} to ${to}: ${thousands(copied.rows)} rows of ${copied.tables} tables and ${copied.sequences} sequences were copied unchanged.${oldDatabase}`;
}
