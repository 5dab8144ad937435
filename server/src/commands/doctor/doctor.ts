import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Command } from "commander";
import { type Config, publicSetting, readConfig } from "../../config.ts";
import { openDatabase } from "../../database/open.ts";
import { printResult, runCommand } from "../terminal/run.ts";
import { runningServer } from "../terminal/server-address.ts";
import { stopSignal } from "../terminal/stop-signal.ts";
import type { Finding } from "./check.ts";
import { examine } from "./examine.ts";
import { findingsText } from "./findings-text.ts";

/** `doctor`: runs every check, and prints one table. */
export function doctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("Check everything that the service needs, and say what is wrong and what to do.")
    .option("--deep", "also read the list of the storage, and every file of the vault")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
It takes the environment of the server, runs while the server runs, and changes nothing; a file that it writes into the storage is deleted
at once. States: ok; warning; wrong; unused, where the deployment does without; unchecked, where another check has to pass first.

Exit status: 0 when nothing is wrong, 1 when something is.`,
    )
    .action((options: { deep?: true; json?: true }) =>
      runCommand(async () => {
        const findings = await examineHere(options.deep === true);
        const isHealthy = findings.every(({ state }) => state !== "wrong");
        printResult(
          options.json,
          { is_healthy: isHealthy, checks: findings },
          findingsText(findings, process.stdout.columns ?? 120),
        );
        if (!isHealthy) process.exitCode = 1;
      }),
    );
}

async function examineHere(isDeep: boolean): Promise<Finding[]> {
  const config = readSettings();
  if (config instanceof OperatorError)
    return [
      {
        check: "settings",
        state: "wrong",
        detail: config.message,
        remedy: "Correct it. No other check can run before.",
      },
    ];
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort(new OperatorError("Stopped before the end.")));
  const server = runningServer(config.dataDir);
  const publicBy = publicSetting(config) ?? (server === null ? null : publicSetting(server));
  const log = (text: string) => process.stderr.write(`${text}\n`);
  return examine({ config, clock: systemClock, server, publicBy, isDeep, signal: stop.signal }, () =>
    openDatabase(config, { applicationName: "beatmarket doctor", log, mustExist: true }),
  );
}

function readSettings(): Config | OperatorError {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
}
