import { readFile } from "node:fs/promises";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { openSecretBox } from "@beatmarket/secret-box/secret-box.ts";
import { diagnose } from "@beatmarket/webhooks/debugging/doctor.ts";
import { parseHeaders } from "@beatmarket/webhooks/debugging/signed-curl.ts";
import { secretsOf } from "@beatmarket/webhooks/endpoints/endpoints.ts";
import type { Command } from "commander";
import type { Config } from "../../config.ts";
import type { Database } from "../../database/connect.ts";
import { reading, readWholeNumber } from "../terminal/arguments.ts";
import { printResult, runCommand, withDatabase } from "../terminal/run.ts";

interface DoctorOptions {
  headers: string;
  body: string;
  secret?: string;
  endpoint?: number;
  computed?: string;
  json?: true;
}

/** `webhooks doctor`: diagnoses why a receiver rejects a signature. */
export function doctorCommand(webhooks: Command): void {
  webhooks
    .command("doctor")
    .description("Find out why a receiver rejects a signature.")
    .requiredOption("--headers <file>", "the request's headers: lines of name: value, or a JSON object")
    .requiredOption("--body <file>", "the bytes that the receiver verifies")
    .option("--secret <secret>", "the receiver's secret")
    .option("--endpoint <id>", "use the current secret of this endpoint instead of --secret", reading(readWholeNumber))
    .option("--computed <signature>", "the signature that the receiver's code computed")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExits with status 0 if the signature is right and 1 if not.")
    .action((options: DoctorOptions) => {
      const { secret, endpoint } = options;
      if (secret !== undefined && endpoint === undefined) return runCommand(() => diagnoseFiles(options, secret));
      if (endpoint !== undefined && secret === undefined)
        return withDatabase(async (database, config) =>
          diagnoseFiles(options, await secretOf(endpoint, database, config)),
        );
      return runCommand(() => Promise.reject(new OperatorError("Give either --secret or --endpoint.")));
    });
}

async function secretOf(endpoint: number, { query }: Database, config: Config): Promise<string> {
  const context = { secrets: await openSecretBox(config), now: new Date(systemClock.nowMs()) };
  const [current] = await secretsOf(query, endpoint, "operator", context);
  return current;
}

async function diagnoseFiles({ headers, body, computed, json }: DoctorOptions, secret: string): Promise<void> {
  const diagnosis = diagnose({
    headers: parseHeaders((await bytesOf(headers)).toString()),
    body: await bytesOf(body),
    secret,
    nowSeconds: Math.floor(systemClock.nowMs() / 1000),
    computed,
  });
  const { ok, cause, advice } = diagnosis;
  printResult(json, diagnosis, ok ? cause : `${cause}\n${advice}`);
  if (!ok) process.exitCode = 1;
}

const bytesOf = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: Error) => {
    throw new OperatorError(`${file} cannot be read: ${error.message}`);
  });
