import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import { counted } from "@beatmarket/foundation/text/counted.ts";
import { formatAmount, formatCents } from "@beatmarket/foundation/text/money.ts";
import { type Command, Option } from "commander";
import type { Config } from "../config.ts";
import type { Queryable } from "../database/connect.ts";
import { openProviders } from "../resources/orders/payments/open-providers.ts";
import { clearedBefore, listHeld } from "../resources/payouts/balances.ts";
import { bankFile, findRun, requireDebtor } from "../resources/payouts/bank-file.ts";
import {
  type ListedPayout,
  listPayouts,
  type PayoutMethod,
  type PayoutStatus,
  payoutMethods,
  payoutStatuses,
  selectRuns,
} from "../resources/payouts/payout.ts";
import { saveStripeAccount } from "../resources/payouts/payout-accounts.ts";
import { finishRun, type RunOutcome, retryPayout, runPayouts } from "../resources/payouts/run-payouts.ts";
import type { SendingParts } from "../resources/payouts/send.ts";
import { confirmFailed, confirmPaid } from "../resources/payouts/settle.ts";
import { requireAccount } from "../resources/users/accounts.ts";
import { reading, readWholeNumber } from "./terminal/arguments.ts";
import { tableText, wholeSecondsUtc, writeOutputFile } from "./terminal/output.ts";
import { printResult, printStream, withDatabase } from "./terminal/run.ts";

interface OutputOptions {
  output?: string;
  json?: true;
}

/** `payouts run`, `resume`, `retry`, `list`, `held`, `file`, `paid`, `failed` and `stripe-account`. */
export function payoutsCommand(payouts: Command): void {
  payouts.addHelpText(
    "after",
    `
Examples:
  beatmarket payouts run --method sepa --output payouts.xml
  beatmarket payouts list --status failed
  beatmarket payouts paid --run 12

docs/payouts.md explains clearing, states and held balances.`,
  );
  stripeAccountCommand(payouts);
  const output = (command: Command): Command =>
    command
      .option("--output <file>", "the file for the bank, which appears when it is complete")
      .option("--json", "print JSON");

  output(payouts.command("run"))
    .description("Pay all balances that are due, or continue an interrupted run.")
    .addOption(
      new Option("--method <method>", "a SEPA file, a CSV file, or transfers of Stripe Connect")
        .choices([...payoutMethods])
        .makeOptionMandatory(),
    )
    .action((options: OutputOptions & { method: PayoutMethod }) =>
      withDatabase(async ({ query }, config) => {
        if (options.method === "sepa") requireDebtor(config.payoutDebtor, config.currency);
        requireOutput(options.method, options);
        const parts = await partsOf(query, config);
        const { currency } = config;
        await report(
          query,
          config,
          options,
          await runPayouts(parts, { ...clearing(config), method: options.method, currency }),
        );
      }),
    );

  output(payouts.command("resume"))
    .description("Continue an interrupted run or retry.")
    .action((options: OutputOptions) =>
      withDatabase(async ({ query }, config) => {
        const run = await selectRuns(query).where("finished_at", "is", null).executeTakeFirst();
        if (run === undefined) throw new OperatorError("No run is open. Begin a run with `beatmarket payouts run`.");
        requireOutput(run.method, options);
        await report(query, config, options, await finishRun(await partsOf(query, config), run));
      }),
    );

  output(payouts.command("retry"))
    .description("Pay a producer whose payout failed, to the present payout details.")
    .argument("<id>", "the payout that failed", reading(readWholeNumber))
    .action((id: number, options: OutputOptions) =>
      withDatabase(async ({ query }, config) => {
        const parts = await partsOf(query, config);
        await report(query, config, options, await retryPayout(parts, id, clearing(config)));
      }),
    );

  payouts
    .command("file")
    .description("Write the bank file of a run again, unless the bank has processed the run.")
    .argument("<run>", "the run", reading(readWholeNumber))
    .option("--output <file>", "write into a file (default: standard output)")
    .option("--json", "print the file's name as JSON; needs --output")
    .action((runId: number, options: OutputOptions) =>
      withDatabase(async ({ query }, config) => {
        const text = bankFile(query, await findRun(query, runId), config.payoutDebtor);
        if (options.output !== undefined) {
          await writeOutputFile(options.output, text, { option: "--output" });
          printResult(
            options.json,
            { run: runId, file: options.output },
            `The file for the bank is ${options.output}.`,
          );
        } else if (options.json === true) throw new OperatorError("With --json, name the file: --output payouts.xml.");
        else await printStream(text);
      }),
    );

  payouts
    .command("list")
    .description("List payouts, newest first.")
    .addOption(new Option("--status <status>", "only payouts with this status").choices([...payoutStatuses]))
    .option("--run <id>", "only payouts of this run", reading(readWholeNumber))
    .option("--limit <number>", "the maximum number of payouts", reading(readWholeNumber), 50)
    .option("--json", "print JSON")
    .action((options: { status?: PayoutStatus; run?: number; limit: number; json?: true }) =>
      withDatabase(async ({ query }) => {
        const payouts = await listPayouts(query, { ...options, runId: options.run });
        printResult(options.json, { payouts: payouts.map(payoutJson) }, payoutsText(payouts));
      }),
    );

  payouts
    .command("held")
    .description("List producers whose due balance no run pays, with the reason.")
    .option("--limit <number>", "the maximum number of producers", reading(readWholeNumber), 100)
    .option("--json", "print JSON")
    .action((options: { limit: number; json?: true }) =>
      withDatabase(async ({ query }, config) => {
        const { currency } = config;
        const heldBalances = await listHeld(query, { ...clearing(config), currency, limit: options.limit });
        const json = heldBalances.map(({ userId, name, dueCents, because }) => ({
          user_id: userId,
          name,
          due: formatCents(dueCents),
          currency,
          because,
        }));
        const rows = heldBalances.map(({ userId, name, dueCents, because }) => [
          ...[String(userId), name, formatAmount(dueCents, currency), because],
        ]);
        printResult(
          options.json,
          { held: json },
          rows.length === 0 ? "Nothing is held." : tableText([["USER", "NAME", "DUE", "BECAUSE"], ...rows]),
        );
      }),
    );

  payouts
    .command("paid")
    .description("Record that payouts of a bank file arrived.")
    .argument("[ids...]", "the payouts", (text: string, ids: number[] | undefined) => [
      ...(ids ?? []),
      reading(readWholeNumber)(text),
    ])
    .addOption(new Option("--run <id>", "all sent payouts of this run").argParser(reading(readWholeNumber)))
    .option("--json", "print JSON")
    .action((ids: number[] | undefined, { run, json }: { run?: number; json?: true }) =>
      withDatabase(async ({ query }) => {
        const requestedIds = ids ?? [];
        if ((run === undefined) === (requestedIds.length === 0)) throw new OperatorError("Name the payouts, or --run.");
        const which = run === undefined ? { ids: requestedIds } : { runId: run };
        const count = await confirmPaid(query, which, new Date(systemClock.nowMs()));
        printResult(json, { paid: count }, `${counted(count, "payout")} ${count === 1 ? "is" : "are"} paid now.`);
      }),
    );

  payouts
    .command("failed")
    .description(
      "Record that a payout failed or came back. The amount returns to the balance, and the producer gets a mail.",
    )
    .argument("<id>", "the payout", reading(readWholeNumber))
    .requiredOption("--reason <sentence>", "why, for the producer")
    .option("--json", "print JSON")
    .action((id: number, { reason, json }: { reason: string; json?: true }) =>
      withDatabase(async ({ query }, { publicUrl }) => {
        const payout = await confirmFailed(query, id, reason, { publicUrl, now: new Date(systemClock.nowMs()) });
        printResult(
          json,
          { id, status: "failed" },
          `Payout ${id} failed: ${formatAmount(payout.amount_cents, payout.currency)} are in the balance of user ${payout.user_id} again.`,
        );
      }),
    );
}

/** `payouts stripe-account`. */
function stripeAccountCommand(payouts: Command): void {
  payouts
    .command("stripe-account")
    .description("Set the connected Stripe account that receives a producer's payouts.")
    .argument("<account>", "the account's id, such as acct_1NxYz")
    .requiredOption("--email <address>", "the e-mail address of the producer's account")
    .option("--json", "print JSON")
    .action((account: string, { email, json }: { email: string; json?: true }) =>
      withDatabase(async ({ query }) => {
        const { id } = await requireAccount(query, email);
        const change = { author: "operator" as const, now: new Date(systemClock.nowMs()) };
        await saveStripeAccount(query, id, account, change);
        printResult(json, { user_id: id, stripe_account: account }, `User ${id} is paid to ${account}.`);
      }),
    );
}

const clearing = ({ payoutClearingDays }: Config) => ({
  cleared: clearedBefore(systemClock.nowMs(), payoutClearingDays),
});

async function partsOf(db: Queryable, { stripe, publicUrl }: Config): Promise<SendingParts> {
  const providers = await openProviders(db, stripe, systemClock);
  return { db, now: () => new Date(systemClock.nowMs()), publicUrl, transfers: providers.stripe?.transfers ?? null };
}

function requireOutput(method: PayoutMethod, { output }: OutputOptions): void {
  if (method !== "stripe" && output === undefined)
    throw new OperatorError("Name the file for the bank: --output payouts.xml.");
}

/** Writes the bank's file, and reports the result of the run. */
async function report(
  db: Queryable,
  config: Config,
  { output, json }: OutputOptions,
  outcome: RunOutcome,
): Promise<void> {
  const { run, count, cents, stopped } = outcome;
  const isFile = run.method !== "stripe" && count > 0 && stopped === null;
  if (isFile && output !== undefined)
    await writeOutputFile(output, bankFile(db, run, config.payoutDebtor), { option: "--output" });
  printResult(
    json,
    {
      run: run.id,
      payouts: count,
      amount: formatCents(cents),
      currency: run.currency,
      stopped: stopped?.reason ?? null,
    },
    outcomeText(outcome, isFile, output),
  );
  if (stopped !== null) process.exitCode = 1;
}

function outcomeText({ run, count, cents, stopped }: RunOutcome, isFile: boolean, output: string | undefined): string {
  if (stopped !== null) return `Run ${run.id} stopped: ${stopped.reason}`;
  if (count === 0) return `Nothing is due, so run ${run.id} is empty.`;
  const text = `Run ${run.id}: ${counted(count, "payout")}, ${formatAmount(cents, run.currency)}.`;
  if (!isFile) return text;
  return output === undefined
    ? `${text} Write its file with \`beatmarket payouts file ${run.id} --output payouts.xml\`.`
    : `${text} The file for the bank is ${output}.`;
}

const payoutJson = (payout: ListedPayout) => ({
  id: payout.id,
  run: payout.run_id,
  user_id: payout.user_id,
  name: payout.name,
  amount: formatCents(payout.amount_cents),
  currency: payout.currency,
  status: payout.status,
  reference: payout.reference,
  failure_reason: payout.failure_reason,
  created_at: wholeSecondsUtc(payout.created_at),
  sent_at: wholeSecondsUtc(payout.sent_at),
  settled_at: wholeSecondsUtc(payout.settled_at),
});

const payoutsText = (payouts: readonly ListedPayout[]): string =>
  payouts.length === 0
    ? "There are no such payouts."
    : tableText([
        ["ID", "RUN", "CREATED", "STATUS", "AMOUNT", "PRODUCER", "WHY IT FAILED"],
        ...payouts.map((payout) => [
          String(payout.id),
          String(payout.run_id),
          wholeSecondsUtc(payout.created_at) ?? "",
          payout.status,
          formatAmount(payout.amount_cents, payout.currency),
          `${payout.user_id} ${payout.name}`,
          payout.failure_reason ?? "",
        ]),
      ]);
