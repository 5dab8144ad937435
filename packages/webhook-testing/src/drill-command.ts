import { readFile } from "node:fs/promises";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { drill } from "./drill/drill.ts";
import { isPassed, reportText } from "./drill/report-text.ts";
import type { Sign } from "./drill/session.ts";

interface DrillOptions {
  secret?: string;
  ca?: string;
  json?: true;
}

/** The functions that the program provides for the command. */
export interface DrillProgram {
  sign: Sign;
  /** Runs the work, prints its error and sets exit status 1. */
  run(command: Command, work: () => Promise<void>): Promise<void>;
}

/** Adds the command `drill URL` to `test`, in the operator's program and in the developers' command line. */
export function drillCommand(test: Command, { sign, run }: DrillProgram): void {
  const command = test
    .command("drill")
    .summary("Test a webhook receiver with common mistakes.")
    .description(
      "Send a webhook receiver the deliveries that receivers often handle wrongly: double deliveries, wrong order, late refunds, clock skew, bad signatures, slow and cut connections. Says what it does wrong, and how to repair it. The exit status is 1 if anything is wrong.",
    )
    .argument("<url>", "the receiver, such as http://localhost:3000/webhooks; use one in development", readReceiver)
    .addOption(
      new Option("--secret <secret>", "the secret with which the receiver verifies, whsec_…").env("WEBHOOK_SECRET"),
    );
  // The developers' command line has these options for all of its commands.
  const hasOptions = command.parent?.parent?.options.some(({ long }) => long === "--json") === true;
  if (!hasOptions)
    command.option("--json", "print JSON").option("--ca <file>", "the CA that issued the receiver's certificate (PEM)");
  command.action((url: URL) =>
    run(command, async () => {
      const { secret, ca, json } = command.optsWithGlobals<DrillOptions>();
      const report = await drill({
        url,
        secret: secretOf(secret),
        sign,
        ca: ca === undefined ? undefined : await contentOf(ca),
      });
      process.stdout.write(json === true ? `${JSON.stringify(report)}\n` : `${reportText(report)}\n`);
      if (!isPassed(report)) process.exitCode = 1;
    }),
  );
}

function readReceiver(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError("It takes an address such as http://localhost:3000/webhooks.");
}

function secretOf(secret: string | undefined): string {
  if (secret === undefined || secret === "")
    throw new OperatorError(
      "There is no secret. Name the one that the receiver verifies with: --secret whsec_…, or WEBHOOK_SECRET.",
    );
  if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret))
    throw new OperatorError("The secret is not whsec_ and base64, as an endpoint shows it.");
  return secret;
}

const contentOf = (file: string): Promise<string> =>
  readFile(file, "utf8").catch(({ code }: NodeJS.ErrnoException) => {
    throw new OperatorError(`--ca is ${file}, which cannot be read (${code}).`);
  });
